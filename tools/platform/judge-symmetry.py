"""Judges structures and files with spglib, ASE and pymatgen.

Reads from the standard input {"structures": [{cell, positions, numbers}], "files": [{path, format}]}, with
cells row by row in Angstrom and crystal coordinates. A file that has {hall, sites} is judged by spglib's operations
of the Hall number alone. Writes {"groups": [{number, symbol, point_group} or null], "readings": [{judge: R}]}, where R
is a structure, or {"error"}.
"""

import json
import sys
import warnings

import ase.io
import spglib
from pymatgen.core import Structure
from pymatgen.io.cif import CifParser
from pymatgen.io.vasp import Poscar

TOLERANCE = 0.3  # that of the platform, in Angstrom

warnings.simplefilter("ignore")


def find_group(structure):
    cell = (structure["cell"], structure["positions"], structure["numbers"])
    dataset = spglib.get_symmetry_dataset(cell, symprec=TOLERANCE)
    if dataset is None:
        return None
    return {"number": dataset["number"], "symbol": dataset["international"], "point_group": dataset["pointgroup"]}


def read_with_ase(path, format):
    atoms = ase.io.read(path, format=format)
    if any(len(site) > 1 or min(site.values()) < 1 for site in (atoms.info.get("occupancy") or {}).values()):
        raise ValueError("a partially occupied site")
    return {
        "cell": atoms.cell.array.tolist(),
        "positions": atoms.get_scaled_positions().tolist(),
        "numbers": [int(number) for number in atoms.numbers],
    }


def read_with_pymatgen(path, format):
    if format == "cif":
        structures = CifParser(path).get_structures(primitive=False)
        if len(structures) != 1:
            raise ValueError("%d structures" % len(structures))
        structure = structures[0]
    else:
        structure = Poscar.from_file(path, check_for_POTCAR=False).structure
    if not structure.is_ordered:
        raise ValueError("a partially occupied site")
    return {
        "cell": structure.lattice.matrix.tolist(),
        "positions": structure.frac_coords.tolist(),
        "numbers": [site.specie.Z for site in structure],
    }


def expand(hall, sites):
    operations = spglib.get_symmetry_from_database(hall)
    images = [
        (number, rotation @ position + translation)
        for number, position in zip(sites["numbers"], sites["positions"])
        for rotation, translation in zip(operations["rotations"], operations["translations"])
    ]
    return {
        "cell": sites["cell"],
        "positions": [image.tolist() for _, image in images],
        "numbers": [number for number, _ in images],
    }


def attempt(read, file):
    try:
        return read(file["path"], file["format"])
    except Exception as error:  # whatever a reader raises is its answer
        return {"error": "%s: %s" % (type(error).__name__, error)}


def judge(file):
    if "hall" in file:
        return {"spglib": expand(file["hall"], file["sites"])}
    return {"ase": attempt(read_with_ase, file), "pymatgen": attempt(read_with_pymatgen, file)}


asked = json.load(sys.stdin)
json.dump(
    {
        "groups": [find_group(structure) for structure in asked["structures"]],
        "readings": [judge(file) for file in asked["files"]],
    },
    sys.stdout,
)
