// SPDX-License-Identifier: MIT
//! Tables of coordinates, as a multidimensional host has them.
use std::fmt;

use crate::sys::CellsHandle;
use crate::Column;

/// Cells of one type, each at its own coordinate, in any order: cell `i` has the item
/// `items[d][i]` of dimension `dimensions[d]`, and row `i` of the values. The same name is the same
/// dimension in all measures of a call. Without dimensions there is one cell at most.
///
/// Whether it fits together is looked at by [`Host::refresh`](crate::Host::refresh).
#[derive(Debug, Clone)]
pub struct Measure<'a> {
    /// Names, none twice, at most 32.
    pub dimensions: Vec<&'a str>,
    /// For each dimension the items, as many as there are values.
    pub items: Vec<&'a [u32]>,
    /// The values, one a cell.
    pub values: &'a Column,
}

/// What a refresh makes: a measure that owns its cells.
pub struct Cells(CellsHandle);

impl Cells {
    pub(crate) fn owning(handle: CellsHandle) -> Self {
        Cells(handle)
    }

    /// Dimensions, items and values, for those who look, and as an argument of another refresh.
    pub fn measure(&self) -> Measure<'_> {
        Measure {
            dimensions: self.0.dimensions(),
            items: self.0.items(),
            values: self.0.values(),
        }
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measure = self.measure();
        write!(f, "Cells({:?}, {:?})", measure.dimensions, measure.values)
    }
}
