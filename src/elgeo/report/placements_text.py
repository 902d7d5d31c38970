"""Where new terms belong, as text: for people, as JSON, as OWL, and as a template that ROBOT takes."""

from __future__ import annotations

import json
import re
from typing import Any

from elgeo.evaluation.placing.placements import Placements, chosen
from elgeo.evaluation.placing.suggestions import NEAR_NAME, Placed, Suggestion
from elgeo.evaluation.placing.word import in_functional_syntax, in_manchester_syntax
from elgeo.ontology.grammar import DEFINITIONS, LABEL, SYNONYMS, literal
from elgeo.ontology.reading.obo_names import OBO
from elgeo.ontology.short_names import called, short_form
from elgeo.ontology.vocabulary import Vocabulary

FOLLOWING = 8
"""Superclasses that are named in a table."""
_IRI = re.compile(r"<([^<>]+)>")
_CURIE = re.compile(r"([A-Za-z][\w.-]*):(\w+)")


def as_table(found: Placements) -> str:
    """Everything that was said, a block of lines for each term."""
    return "\n".join(_block(found.names, placed) for placed in found)


def _block(names: Vocabulary, placed: Placed) -> str:
    lines = [placed.proposal.label]
    if not placed.known_words:
        lines.append("  none of its words is known here: only how frequent a class is speaks for what follows")
    for existing in placed.existing:
        sort = "exists already" if existing.how != NEAR_NAME else "near"
        lines.append(f"  {sort}: {called(names, existing.class_id)} ({existing.how}, {existing.likeness:.2f})")
    lines += _suggested(names, "SubClassOf", placed.parents)
    for role, suggestions in placed.relations.items():
        lines += _suggested(names, names.role_label(role), suggestions)
    if placed.follows:
        shown = ", ".join(names.class_label(c) for c in placed.follows[:FOLLOWING])
        more = len(placed.follows) - FOLLOWING
        lines.append(f"  it would be a kind of: {shown}{f' and {more} more' if more > 0 else ''}")
    return "\n".join(lines) + "\n"


def _suggested(names: Vocabulary, heading: str, suggestions: Any) -> list[str]:
    lines = [f"  {heading}"]
    for suggestion in suggestions:
        verdict = f"  [{suggestion.verdict}]" if suggestion.verdict else ""
        lines.append(f"    {suggestion.share:.3f}  {called(names, suggestion.class_id)}{verdict}")
        lines += [f"           {reason}" for reason in suggestion.reasons]
    return lines


def as_json(found: Placements) -> str:
    """One document: a list under `terms`."""
    return json.dumps({"terms": [_record(found.names, placed) for placed in found]}, ensure_ascii=False) + "\n"


def _record(names: Vocabulary, placed: Placed) -> dict[str, Any]:
    def called_by(class_id: int) -> dict[str, str]:
        return {"iri": names.classes[class_id], "label": names.class_label(class_id)}

    def one(suggestion: Suggestion) -> dict[str, Any]:
        return {
            **called_by(suggestion.class_id),
            "share": suggestion.share,
            "verdict": suggestion.verdict,
            "reasons": list(suggestion.reasons),
        }

    proposal = placed.proposal
    return {
        "id": proposal.id,
        "label": proposal.label,
        "definition": proposal.definition,
        "synonyms": list(proposal.synonyms),
        "axioms": list(proposal.axioms),
        "existing": [
            {**called_by(each.class_id), "how": each.how, "likeness": each.likeness} for each in placed.existing
        ],
        "parents": [one(each) for each in placed.parents],
        "relations": {names.roles[role]: [one(each) for each in some] for role, some in placed.relations.items()},
        "follows": [names.classes[c] for c in placed.follows],
        "known_words": placed.known_words,
    }


def as_functional(found: Placements) -> str:
    """An ontology of the new terms with what is known of them and the suggestions an editor would begin with."""
    names, lines = found.names, ["Ontology("]
    for number, placed in enumerate(found, 1):
        proposal, iri = placed.proposal, new_iri(placed, number)
        lines.append(f"Declaration(Class(<{iri}>))")
        texts = [(LABEL, proposal.label), *((SYNONYMS[0], name) for name in proposal.synonyms)]
        for annotation, text in texts + [(DEFINITIONS[0], proposal.definition)] * bool(proposal.definition):
            lines.append(f"AnnotationAssertion(<{annotation}> <{iri}> {literal(text)})")
        parents, relations = chosen(placed)
        said = in_functional_syntax(proposal.axioms, iri, names)
        said += [f"SubClassOf(<{iri}> <{names.classes[parent.class_id]}>)" for parent in parents]
        for role, some in relations.items():
            for each in some:
                filler = f"ObjectSomeValuesFrom(<{names.roles[role]}> <{names.classes[each.class_id]}>)"
                said.append(f"SubClassOf(<{iri}> {filler})")
        lines += dict.fromkeys(said)
    return "\n".join([*lines, ")"]) + "\n"


def as_template(found: Placements) -> str:
    """A table for `robot template`: headings, what each column means to ROBOT, a line for each term."""
    names = found.names
    roles = sorted({role for placed in found for role in chosen(placed)[1]})
    heads = ["ID", "label", "definition", "synonyms", "parents", *(names.role_label(role) for role in roles)]
    meaning = ["ID", "LABEL", "A IAO:0000115", "A oboInOwl:hasExactSynonym SPLIT=|", "SC % SPLIT=|"]
    meaning += [f"SC '{names.role_label(role)}' some % SPLIT=|" for role in roles]
    given = any(placed.proposal.axioms for placed in found)
    labels = {iri: f"'{names.role_label(role)}'" for role, iri in enumerate(names.roles)}
    rows = [[*heads, "given"] if given else heads, [*meaning, "SC % SPLIT=|"] if given else meaning]
    for number, placed in enumerate(found, 1):
        proposal = placed.proposal
        parents, relations = chosen(placed)
        ends = [parents, *(relations.get(role, []) for role in roles)]
        words = [proposal.label, proposal.definition, "|".join(proposal.synonyms)]
        cells = ["|".join(short_form(names.classes[each.class_id]) for each in some) for some in ends]
        iri = new_iri(placed, number)
        if given:
            said = in_manchester_syntax(proposal.axioms, iri, names)
            cells.append("|".join(_IRI.sub(lambda iri: labels.get(iri[1], short_form(iri[1])), text) for text in said))
        rows.append([proposal.id or iri, *words, *cells])
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)


def new_iri(placed: Placed, number: int) -> str:
    """The IRI of a term: its id, if it has one, else one that says that it is new."""
    given = placed.proposal.id
    if found := _CURIE.fullmatch(given):
        return f"{OBO}{found[1]}_{found[2]}"
    return given if ":" in given and not re.search(r'[\s<>"]', given) else f"urn:new:{number}"
