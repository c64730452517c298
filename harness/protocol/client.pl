#!/usr/bin/env perl
# A client of the conformance suite in Perl 5, core modules only. Copy it, and
# put your arithmetic in the place of the four functions below.
#
#     cargo xtask conformance --impl 'exec:perl client.pl'    # frames of bytes
#     cargo xtask conformance --impl 'text:perl client.pl'    # a line for each vector
#     printf '3ff0000000000000 c000000000000000\n' | perl client.pl copysign.f64
#
# It needs a perl with integers of 64 bits: `perl -V:ivsize` says 8.

use strict;
use warnings;
no warnings 'portable';    # they are about hexadecimal numbers of more than 32 bits

# Operands and results are bits, held in Perl's unsigned integers. & | ^ ~ << >>
# are exact on all 64 of them, while + - * turn into floating point on overflow.
# Mask what ~ and << leave above a result of fewer bits. The operands are $x and
# $y here, because $a and $b belong to sort.

# The magnitude of the second operand with the sign of the first: in C it is
# the other way round. A NaN keeps its payload, as no arithmetic is done on it.
sub copysign_f64 {
    my ($x, $y) = @_;
    my $sign = 1 << 63;
    return ($x & $sign) | ($y & ~$sign);
}

# Magnitudes are compared as integers, which have the same order as the numbers
# that they encode, with the NaNs above infinity.
sub max_xorsign_abs_f16 {
    my ($x, $y) = @_;
    my $sign = ($x ^ $y) & 0x8000;
    my ($small, $large) = sort { $a <=> $b } map { $_ & 0x7fff } $x, $y;
    return 0x7fff if $small > 0x7c00;    # both are NaN
    return $sign | ($large > 0x7c00 ? $small : $large);
}

sub abs_bf16 {
    my ($x) = @_;
    my $magnitude = $x & 0x7fff;
    return $magnitude > 0x7f80 ? 0x7fff : $magnitude;
}

# "Less than, or unordered" is "not greater or equal": a NaN fails every test.
# Perl computes in f64, which holds every f32, so the comparison is exact.
sub set_ltu_u32_f32 {
    my ($x, $y) = unpack 'f<2', pack 'L<2', @_;
    return $x >= $y ? 0 : 0xffffffff;
}

# Of each variant: its function, which gets the operands of one vector and
# returns the list of its results, and the widths of these results in bytes.
# Frames come with the widths, but lines do not.
my %variants = (
    'copysign.f64'        => [\&copysign_f64,        8],
    'max.xorsign.abs.f16' => [\&max_xorsign_abs_f16, 2],
    'abs.bf16'            => [\&abs_bf16,            2],
    'set.ltu.u32.f32'     => [\&set_ltu_u32_f32,     4],
);

# The formats that pack and unpack have for columns of 1, 2, 4 and 8 bytes.
my %column = (1 => 'C*', 2 => 'S<*', 4 => 'L<*', 8 => 'Q<*');

binmode STDIN;
binmode STDOUT;
@ARGV ? lines($ARGV[-1]) : frames();

sub frames {
    $| = 1;    # flush after each print: the suite waits for every answer
    while (defined(my $line = <STDIN>)) {
        if ($line eq "ptx-conformance 1\n") {
            print "ptx-conformance 1 perl-client 1\n";
        } elsif ($line =~ /^supports (\S+)\n/) {
            print $variants{$1} ? "yes\n" : "no it is not among this client's functions\n";
        } elsif ($line =~ /^run (\S+) (\d+) (\S+) (\S+)\n/ and $variants{$1}) {
            my ($variant, $rows, $operand_widths, $result_widths) = ($1, $2, $3, $4);
            print "results\n", run($variants{$variant}[0], $rows,
                [split /,/, $operand_widths], [split /,/, $result_widths]);
        } else {
            die "unknown message: $line";
        }
    }
}

# Reads the columns of operands, and returns the columns of results.
sub run {
    my ($function, $rows, $operand_widths, $result_widths) = @_;
    my @operands = map { [unpack $column{$_}, read_bytes($rows * $_)] } @$operand_widths;
    my @results;
    for my $row (0 .. $rows - 1) {
        my @values = $function->(map { $_->[$row] } @operands);
        push @{ $results[$_] }, $values[$_] for 0 .. $#values;
    }
    return map { pack $column{ $result_widths->[$_] }, @{ $results[$_] } } 0 .. $#results;
}

# A pipe hands over what it has, often less than was asked for. read() goes on
# until it has all; sysread() does not, and would miss what <STDIN> has buffered.
sub read_bytes {
    my ($count) = @_;
    my $got = read(STDIN, my $bytes, $count);
    die "the input ended inside a frame\n" unless defined $got and $got == $count;
    return $bytes;
}

sub lines {
    my ($variant) = @_;
    return print map { "$_\n" } sort keys %variants if $variant eq 'variants';
    my ($function, @widths) = @{ $variants{$variant} or die "no variant $variant\n" };
    my $format = join(' ', map { '%0' . 2 * $_ . 'x' } @widths) . "\n";    # two digits a byte
    while (my $line = <STDIN>) {
        printf $format, $function->(map { hex } split ' ', $line);
    }
}
