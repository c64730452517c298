//! The report as others meet it: its schema, its files, its text.

mod causes;
mod compilers;
mod model;
mod samples;
mod schema;
mod store;
mod terminal;
