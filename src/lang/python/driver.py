"""Stands in for the driver. SPDX-License-Identifier: MIT"""
