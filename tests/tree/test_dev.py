"""./dev, as far as it changes nothing on the machine. SPDX-License-Identifier: MIT"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

DEV = pathlib.Path(__file__).resolve().parents[2] / "dev"


class Clean(unittest.TestCase):
    def test_all_that_was_built_goes_and_nothing_else(self):
        with tempfile.TemporaryDirectory(prefix="extfn-test-dev-") as folder:
            shutil.copy(DEV, folder)
            for name in "build", "build-release", "build-arm64", "build-ci", "builder", "src":
                os.makedirs(f"{folder}/{name}/build-inside")
            pathlib.Path(folder, "build-notes").touch()
            subprocess.run([f"{folder}/dev", "clean"], check=True)
            self.assertEqual(["build-notes", "builder", "dev", "src"], sorted(os.listdir(folder)))
            self.assertTrue(os.path.isdir(f"{folder}/src/build-inside"))


if __name__ == "__main__":
    unittest.main()
