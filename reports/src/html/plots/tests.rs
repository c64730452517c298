//! Tests of pictures as numbers: what is drawn, and where. A picture is 640 pixels wide and 220 high; of these,
//! bars have 531 from the 102nd on, and 163 above the 169th from the top.

use super::*;

/// The elements of a picture that say something.
struct Shown {
    /// Texts that stand upright, and the horizontal place of their middle.
    texts: Vec<(String, i32)>,
    /// Left and upper edge, width and height of each bar.
    bars: Vec<[i32; 4]>,
    /// The points where each bound begins and ends.
    bounds: Vec<String>,
    /// The number of bars that go on beyond the top.
    clipped: usize,
}

fn shown(svg: &str) -> Shown {
    let value = |tag: &str, name: &str| -> String {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).expect("an attribute");
        rest.split('"').next().expect("a value").trim().to_owned()
    };
    let number = |tag: &str, name: &str| value(tag, name).parse().expect("a number");
    let tags = |kind| svg.split('<').filter(move |tag| tag.starts_with(kind));
    let upright = tags("text ").filter(|tag| tag.contains("\"middle\"") && !tag.contains("rotate"));
    let text = |tag: &str| tag.split_once('>').expect("a text").1.trim().to_owned();
    Shown {
        texts: upright.map(|tag| (text(tag), number(tag, "x"))).collect(),
        bars: (tags("rect ").filter(|tag| tag.contains("#0000FF")))
            .map(|tag| ["x", "y", "width", "height"].map(|name| number(tag, name)))
            .collect(),
        bounds: (tags("polyline ").filter(|tag| tag.contains("#FF0000")))
            .map(|tag| value(tag, "points"))
            .collect(),
        clipped: tags("polygon ").count(),
    }
}

fn range(histogram: Vec<u64>) -> RangeReport {
    RangeReport {
        range: "everywhere".into(),
        bound: "2 ulp".into(),
        results: 0,
        histogram,
        worst: None,
        profile: Vec::new(),
    }
}

fn binades(profile: &[(bool, i32, f64)]) -> [RangeReport; 1] {
    let binade = |&(negative, exponent, share)| BinadeReport { negative, exponent, share };
    [RangeReport { profile: profile.iter().map(binade).collect(), ..range(Vec::new()) }]
}

fn shown_profile(of: &[(bool, i32, f64)]) -> Option<Shown> {
    profile(&binades(of)).map(|svg| shown(&svg))
}

#[test]
fn counts_stand_above_their_errors() {
    let shown = |counts| histogram(&range(counts)).map(|svg| shown(&svg));
    assert!(shown(vec![0; 16]).is_none());
    let Shown { texts, bars, bounds, .. } = shown(vec![1000, 100, 0, 10, 0]).expect("a picture");
    let names: Vec<_> = texts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["error up to, ulp", "½", "1", "2", "4", "more"]);
    // A bar of a tenth as many results is always lower by the same, and a bin without results has no bar.
    let [thousand, hundred, ten] = bars[..] else { panic!("{bars:?}") };
    assert_eq!([thousand[3] - hundred[3], hundred[3] - ten[3]], [47, 46]);
    for ([left, _, width, _], named) in [(thousand, 1), (hundred, 2), (ten, 4)] {
        assert_eq!(left + width / 2, texts[named].1, "{named}");
        assert!((100..=101).contains(&width), "{width}");
    }
    // 2 ulp are permitted: the bound is halfway to the next name.
    let behind = (texts[3].1 + texts[4].1) / 2;
    assert_eq!(bounds, [format!("{behind},169 {behind},6")]);

    let names = shown(vec![1; 16]).expect("a picture").texts;
    let names: Vec<_> = names.iter().skip(1).map(|(name, _)| name.as_str()).collect();
    let ends = (0..14).map(|bin| (1 << bin).to_string());
    assert_eq!(
        names,
        ["½".to_owned()].into_iter().chain(ends).chain(["more".to_owned()]).collect::<Vec<_>>()
    );
}

#[test]
fn a_bound_that_ends_no_bar_is_no_line() {
    let ends = [("1 ulp", Some(1)), ("2 ulp", Some(2)), ("64 ulp", Some(7)), ("3 ulp", None)];
    let none = ["relative 2^-11", "18446744073709551616 ulp", ""].map(|bound| (bound, None));
    for (bound, bin) in ends.into_iter().chain(none) {
        assert_eq!(bound_bin(bound), bin, "{bound}");
    }
    let lines = |bound: &str| {
        let range = RangeReport { bound: bound.into(), ..range(vec![1, 0, 0, 0, 0, 0, 1, 0]) };
        shown(&histogram(&range).expect("a picture")).bounds.len()
    };
    // The last of the seven bars ends at 32.
    assert_eq!(["32 ulp", "64 ulp", "3 ulp"].map(lines), [1, 0, 0]);
}

#[test]
fn bars_stand_where_their_numbers_say() {
    let parts = [(true, -1, 0.5), (true, 2, 1.0), (false, -1, 2.0), (false, 1, 4.0)];
    let Shown { texts, bars, bounds, clipped } = shown_profile(&parts).expect("a picture");
    // Names stand below the edges of bars: what is nearest to zero is nearest to the middle.
    let edges = (0..8).map(|edge| 102 + edge * 531 / 8);
    let names = ["−2^3", "−2^2", "−2^1", "−2^0", "0", "2^0", "2^1", "2^2"].map(str::to_owned);
    assert_eq!(texts[1..], names.into_iter().zip(edges).collect::<Vec<_>>());
    assert_eq!(bars, [[301, 149, 66, 20], [102, 129, 66, 40], [367, 88, 66, 81], [500, 6, 66, 163]]);
    // The bound is a quarter of the height above the ground.
    assert_eq!((bounds, clipped), (vec!["102,129 633,129".to_owned()], 0));
    // Where nothing is beyond the bound, a tenth is left above it.
    let half = shown_profile(&[(false, 0, 0.5)]).expect("a picture");
    assert_eq!((half.bars[0][3], &*half.bounds[0]), (74, "102,21 633,21"));
}

#[test]
fn what_is_just_as_high_as_a_profile_is_not_clipped() {
    for (share, beyond) in [(TOP, false), (TOP * 1.001, true)] {
        let profile = [(false, 0, share)];
        let drawn = shown_profile(&profile).expect("a picture");
        assert_eq!((drawn.clipped, drawn.bars[0][3]), (usize::from(beyond), 163));
        assert_eq!(is_clipped(&binades(&profile)), beyond);
    }
}

#[test]
fn as_many_powers_of_two_are_named_as_have_room() {
    let names = |profile: &[_]| -> Vec<String> {
        let texts = shown_profile(profile).expect("a picture").texts;
        texts.into_iter().skip(1).map(|(name, _)| name).collect()
    };
    let positive = |from, to| (from..=to).map(|exponent| (false, exponent, 0.5)).collect::<Vec<_>>();
    // 2^0 is the fourth edge, too near to zero to be named, and the fifth, which is not.
    assert_eq!(names(&positive(-4, 36)), ["0", "2^8", "2^16", "2^24", "2^32"]);
    assert_eq!(names(&positive(-5, 35)), ["0", "2^0", "2^8", "2^16", "2^24", "2^32"]);
    let both = (0..12).flat_map(|exponent| [(true, exponent, 0.5), (false, exponent, 0.5)]);
    assert_eq!(names(&both.collect::<Vec<_>>()), ["−2^12", "−2^8", "−2^4", "0", "2^4", "2^8"]);
}

#[test]
fn any_numbers_can_be_drawn() {
    for counts in [vec![], vec![u64::MAX], vec![1; 100], vec![u64::MAX; 16]] {
        let drawn = histogram(&range(counts.clone()));
        assert_eq!(drawn.is_some(), !counts.is_empty());
    }
    assert!(shown_profile(&[]).is_none());
    // From outside: numbers that no format has.
    assert!(shown_profile(&[(false, i32::MIN, -1.0), (true, i32::MAX, f64::MAX)]).is_none());
    assert!(shown_profile(&[(true, i32::MAX, f64::MAX)]).is_some_and(|drawn| drawn.clipped == 1));
    // As many binades as there may be, and one more.
    let most = BINADES as i32;
    assert!(shown_profile(&[(false, 0, 0.5), (false, most - 1, 0.5)]).is_some());
    assert!(shown_profile(&[(false, 0, 0.5), (false, most, 0.5)]).is_none());
}
