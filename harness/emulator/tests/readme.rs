//! Checks that the README shows the example that is compiled and run.

#[test]
fn the_readme_shows_the_example() {
    let example = include_str!("../examples/fma.rs");
    let shown = format!("```rust\n{example}```\n");
    assert!(include_str!("../README.md").contains(&shown), "README.md and examples/fma.rs differ");
}
