//! What the headers of libstdc++ call in the library: how nodes of containers are chained. Their layout is part of its
//! binary interface.

mod list; // std::list
mod tree; // std::map, std::set and their kin
