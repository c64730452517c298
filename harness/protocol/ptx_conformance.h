/* What a shared library exports to be tested, version 1:
 *
 *     cargo xtask conformance --impl lib:./libmine.so
 *
 * library.c is an example. Each of the suite's threads loads the library in a process of its own and
 * calls it from one thread, so nothing has to be safe for several; a library that crashes, hangs or
 * ends its process takes nothing with it but the batch it was given.
 *
 * A function that returns a string returns one that ends in a zero byte, is UTF-8, has one line, and
 * stays as it is until the next call. The library may write to standard error; what it writes to
 * standard output goes there, too. */

#ifndef PTX_CONFORMANCE_H
#define PTX_CONFORMANCE_H

#include <stddef.h>
#include <stdint.h>

#define PTX_CONFORMANCE_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* PTX_CONFORMANCE_VERSION, of the header that the library was made with. Called first. */
uint32_t ptx_conformance_version(void);

/* What the report is to call the library: a name without spaces, a space, and its version. */
const char *ptx_conformance_name(void);

/* Whether it has an instruction, given as PTX writes it (`fma.rn.ftz.f32`; `cargo xtask list` has them
 * all): NULL if so, and the reason if not. */
const char *ptx_conformance_supports(const char *variant);

/* Computes `rows` results (at least 1) of an instruction that it has: NULL, or the reason why it could
 * not. `operands` has a column for each operand, in the order of PTX, and `results` one for each
 * result: `rows` numbers of the width of the operand's register, in the order of bytes of the machine.
 * They are bits, never values: an f16 is a uint16_t, a packed register has its first lane in the low
 * bits, a predicate is a uint8_t, 0 or 1, a datum of fewer than 8 bits is in the low bits of a uint8_t.
 * Of a matrix instruction a row is one dot product, and a column as wide as its elements are together
 * (docs/what/matrices.md). Data in braces (`{a, b, e, f}`) are columns of their own. Columns are aligned to 8 bytes. */
const char *ptx_conformance_run(const char *variant, size_t rows, const void *const *operands,
                                void *const *results);

#ifdef __cplusplus
}
#endif

#endif
