"""Elements of a question: what they are told, when, and what they may link to."""

from __future__ import annotations

import pytest

from elgeo.ontology.expressions import THING
from elgeo.reasoning.questions.drafts import Draft, Drafts
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import make_forms, vocabulary


def test_a_draft_may_be_added_after_a_question() -> None:
    forms = make_forms(
        vocabulary(4, 0, 0, 3),
        subclass=[(2, 3)],
        left_existential=[(1, 3, 4)],
        range=[(1, 5)],
        subrole=[(2, 1)],
    )
    drafts = Drafts(saturate(forms))
    y = drafts.add(Draft(classes=(2,)))
    assert drafts.subsumers(y).tolist() == [0, 2, 3]
    x = drafts.add(Draft(links=((2, y),)))
    # the link tells x what it implies, and y the range of its role
    assert drafts.subsumers(x).tolist() == [0, 4]
    assert drafts.subsumers(y).tolist() == [0, 2, 3, 5]
    assert drafts.targets(x, 1) == drafts.targets(x, 2) == [y]
    z = drafts.joined(x, drafts.add(Draft(classes=(3,), loops=(2,), names=frozenset(["new"]))))
    assert drafts.subsumers(z).tolist() == [0, 3, 4, 5]
    assert drafts.targets(z, 1) == [y, z]
    assert drafts.loops(z, 1)
    assert not drafts.loops(x, 1)
    assert drafts[z].names == {"new"}


def test_drafts_are_copied_with_their_links() -> None:
    saturation = saturate(make_forms(vocabulary(3, 0, 0, 2), subclass=[(2, 3)]))
    drafts, other = Drafts(saturation), Drafts(saturation)
    other.fresh()
    y = drafts.add(Draft(classes=(2,)))
    x = drafts.add(Draft(links=((1, y),), loops=(1,)))
    copy = other.copy_of(drafts, x)
    assert copy == x + 1
    assert other.targets(copy, 1) == [y + 1, copy]
    assert other.subsumers(y + 1).tolist() == [0, 2, 3]
    below = other.copy_of(drafts, 3)
    assert other[below] == Draft(classes=(3,))


def test_a_draft_links_to_drafts_only() -> None:
    drafts = Drafts(saturate(make_forms(vocabulary(1, 0, 0, 2))))
    x = drafts.add(Draft(links=((1, 2),)))
    with pytest.raises(ValueError, match="leads to a draft"):
        drafts.subsumers(x)


def test_a_draft_is_called_after_what_it_was_told() -> None:
    drafts = Drafts(saturate(make_forms(vocabulary(3, 0, 0, 3))))
    words = drafts.saturation.forms.vocabulary
    a, b, r, s = words.classes[2], words.classes[3], words.roles[1], words.roles[2]
    one = drafts.add(Draft(classes=(2,)))
    thing = drafts.add(Draft(classes=(0,)))
    both = drafts.add(Draft(classes=(0, 3, 2), names=frozenset(["http://x/new", "http://x/last"])))
    link = drafts.add(Draft(links=((2, one),)))
    every = drafts.add(Draft(classes=(2, 0), links=((1, thing), (2, link)), loops=(1,)))
    assert [drafts._text(x) for x in (one, thing, drafts.add(Draft()))] == [f"<{a}>", f"<{THING}>", f"<{THING}>"]
    assert drafts._text(both) == f"ObjectIntersectionOf(<{b}> <{a}> <http://x/last> <http://x/new>)"
    assert drafts._text(drafts.joined(one, link)) == (f"ObjectIntersectionOf(<{a}> ObjectSomeValuesFrom(<{s}> <{a}>))")
    assert drafts._text(link) == f"ObjectSomeValuesFrom(<{s}> <{a}>)"
    assert drafts._text(every) == (
        f"ObjectIntersectionOf(<{a}> ObjectSomeValuesFrom(<{r}> <{THING}>) "
        f"ObjectSomeValuesFrom(<{s}> ObjectSomeValuesFrom(<{s}> <{a}>)) ObjectHasSelf(<{r}>))"
    )
