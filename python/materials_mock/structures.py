"""Converts materials from and to ASE and pymatgen, which are imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Tuple

from .controls import MockError

if TYPE_CHECKING:
    from ase import Atoms
    from pymatgen.core import Structure

__tracebackhide__ = True  # pytest shows the line of the test

_LENGTHS = ("a", "b", "c")
_PARAMETERS = (*_LENGTHS, "alpha", "beta", "gamma")


def to_ase(material: Mapping[str, Any]) -> Atoms:
    """Returns the atoms of a material, with its labels as tags where they are integers."""
    ase = _load("ase", "to_ase")
    cell, symbols, positions, is_crystal = _read(material)
    atoms = ase.Atoms(symbols, cell=cell, pbc=not material.get("isNonPeriodic", False))
    if is_crystal:
        atoms.set_scaled_positions(positions)
    else:
        atoms.set_positions(positions)
    labels = {each["id"]: each["value"] for each in material["basis"].get("labels", [])}
    if all(isinstance(label, int) for label in labels.values()):
        atoms.set_tags([labels.get(each["id"], 0) for each in material["basis"]["elements"]])
    return atoms


def from_ase(atoms: Atoms) -> Dict[str, Any]:
    """Returns ``basis`` and ``lattice``, and ``isNonPeriodic`` for a molecule. Tags become labels."""
    if atoms.cell.rank < 3:
        formula = atoms.get_chemical_formula()
        message = f"{formula} has no cell of three vectors: atoms.center(vacuum=5.0) gives it one"
        raise MockError(message, "ITEM_INVALID")
    coordinates = _number(atoms.cell.scaled_positions(atoms.positions).tolist())
    elements = _number(atoms.get_chemical_symbols())
    basis = {"elements": elements, "coordinates": coordinates, "units": "crystal"}
    if atoms.has("tags"):
        basis["labels"] = _number(atoms.get_tags().tolist())
    lattice = {"type": "TRI", **dict(zip(_PARAMETERS, map(float, atoms.cell.cellpar())))}
    structure: Dict[str, Any] = {"basis": basis, "lattice": lattice}
    if not atoms.pbc.any():
        structure["isNonPeriodic"] = True
    return structure


def to_pymatgen(material: Mapping[str, Any]) -> Structure:
    """Returns the structure of a material."""
    core = _load("pymatgen.core", "to_pymatgen")
    cell, symbols, positions, is_crystal = _read(material)
    lattice = core.Lattice.from_parameters(*cell) if len(cell) == 6 else core.Lattice(cell)
    return core.Structure(lattice, symbols, positions, coords_are_cartesian=not is_crystal)


def _read(material: Mapping[str, Any]) -> Tuple[List[Any], List[str], List[List[float]], bool]:
    """Returns the cell (three vectors, or three lengths and three angles) and the atoms."""
    try:
        basis, lattice = material["basis"], material["lattice"]
        vectors = lattice.get("vectors")
        cell = [vectors[name] for name in _LENGTHS] if vectors else [lattice[name] for name in _PARAMETERS]
        positions = {each["id"]: each["value"] for each in basis["coordinates"]}
        symbols = [each["value"] for each in basis["elements"]]
        places = [positions[each["id"]] for each in basis["elements"]]
        return cell, symbols, places, basis.get("units", "crystal") == "crystal"
    except (KeyError, TypeError, AttributeError) as error:
        name = material.get("_id") if isinstance(material, Mapping) else material
        message = (
            f"the material {name!r} has no whole structure ({error!r}): basis.elements, "
            "basis.coordinates and lattice are needed, and sets have none"
        )
        raise MockError(message, "ITEM_INVALID") from None


def _number(values: List[Any]) -> List[Dict[str, Any]]:
    return [{"id": id, "value": value} for id, value in enumerate(values)]


def _load(name: str, caller: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        message = f"{caller} needs {name.split('.')[0]}, which can't be imported: {error}"
        raise MockError(message, "LIBRARY_MISSING") from None
