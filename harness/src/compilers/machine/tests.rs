//! Rows as data, and that none of them is kept by what it must not be.
