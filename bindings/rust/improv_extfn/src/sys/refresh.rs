// SPDX-License-Identifier: MIT
//! A function over measures.
use std::ffi::{c_char, CString};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use super::call::with_options;
use super::function::FunctionHandle;
use super::handle::{handle, made};
use super::host::HostHandle;
use super::{abi, text, ColumnHandle, Failure};
use crate::{CallOptions, Column, Measure, Output};

handle! {
    /// The cells that a refresh made; they never change.
    RawCells(Cells) dropped by extfn_cells_free
}

// SAFETY: memory that is only read, until the one owner frees it.
unsafe impl Send for RawCells {}
unsafe impl Sync for RawCells {}

/// The cells, and their values as a column that is theirs and never dropped by itself.
pub(crate) struct CellsHandle {
    cells: RawCells,
    values: ManuallyDrop<Column>,
}

impl CellsHandle {
    fn owning(cells: NonNull<abi::Cells>) -> Self {
        let cells = RawCells(cells);
        // SAFETY: the cells are there; their column stays as long as they do, and only `&` of it
        // is given out.
        let values = unsafe { abi::extfn_cells_measure(cells.as_ptr()).values };
        let values = NonNull::new(values.cast_mut()).expect("cells have values");
        let values = ManuallyDrop::new(Column::owning(ColumnHandle::owning(values)));
        CellsHandle { cells, values }
    }

    fn raw(&self) -> abi::Measure {
        // SAFETY: the cells are there.
        unsafe { abi::extfn_cells_measure(self.cells.as_ptr()) }
    }

    pub(crate) fn dimensions(&self) -> Vec<&str> {
        let raw = self.raw();
        // SAFETY: so many names, which stay as long as the cells, of which this is a borrow.
        (0..raw.dimension_count)
            .map(|d| unsafe { text::lent(*raw.dimensions.add(d)) })
            .collect()
    }

    pub(crate) fn items(&self) -> Vec<&[u32]> {
        let (raw, rows) = (self.raw(), self.values.len());
        if rows == 0 {
            return vec![&[]; raw.dimension_count];
        }
        // SAFETY: so many arrays, each as long as the values; they stay as long as the cells.
        (0..raw.dimension_count)
            .map(|d| unsafe { std::slice::from_raw_parts(*raw.items.add(d), rows) })
            .collect()
    }

    pub(crate) fn values(&self) -> &Column {
        &self.values
    }
}

/// A measure for C, and what it points to beside what the caller has.
struct RawMeasure {
    names: Vec<*const c_char>,
    items: Vec<*const u32>,
    _texts: Vec<CString>,
}

impl RawMeasure {
    /// C believes the lengths, so that they are looked at here.
    fn of(measure: &Measure, position: usize) -> Result<Self, Failure> {
        if measure.items.len() != measure.dimensions.len() {
            return Err(Failure::invalid(format!(
                "argument {position}: {} dimension(s), but items of {}",
                measure.dimensions.len(),
                measure.items.len()
            )));
        }
        let rows = measure.values.len();
        for (name, items) in measure.dimensions.iter().zip(&measure.items) {
            if items.len() != rows {
                return Err(Failure::invalid(format!(
                    "argument {position}: {} item(s) of dimension '{name}' for {rows} value(s)",
                    items.len()
                )));
            }
        }
        let texts = measure.dimensions.iter();
        let texts = texts
            .map(|name| text::for_c(name, "dimensions"))
            .collect::<Result<Vec<CString>, Failure>>()?;
        Ok(RawMeasure {
            names: texts.iter().map(|name| name.as_ptr()).collect(),
            items: measure.items.iter().map(|items| items.as_ptr()).collect(),
            _texts: texts,
        })
    }
}

impl HostHandle {
    pub(crate) fn refresh(
        &self,
        function: &FunctionHandle,
        args: &[Measure],
        options: &CallOptions,
    ) -> (Result<CellsHandle, Failure>, Output) {
        let parts = args.iter().enumerate();
        let parts = parts.map(|(position, measure)| RawMeasure::of(measure, position));
        let parts: Vec<RawMeasure> = match parts.collect() {
            Ok(parts) => parts,
            Err(failure) => return (Err(failure), Output::default()),
        };
        let measures: Vec<abi::Measure> = parts
            .iter()
            .zip(args)
            .map(|(part, measure)| abi::Measure {
                dimensions: part.names.as_ptr(),
                items: part.items.as_ptr(),
                dimension_count: part.names.len(),
                values: measure.values.handle().as_ptr(),
            })
            .collect();
        with_options(options, |given| {
            made(|cells, err| {
                // SAFETY: all of it outlives the call, and no column changes, as it is borrowed.
                unsafe {
                    abi::extfn_refresh(
                        self.as_ptr(),
                        function.as_ptr(),
                        measures.as_ptr(),
                        measures.len(),
                        given,
                        cells,
                        err,
                    )
                }
            })
            .map(CellsHandle::owning)
        })
    }
}
