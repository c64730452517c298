//! Tests of the report as others meet it: its schema, its files, its text.

mod causes;
mod compare;
mod compilers;
mod consistency;
mod github;
mod html;
mod junit;
mod later;
mod model;
mod samples;
mod schema;
mod store;
mod terminal;
