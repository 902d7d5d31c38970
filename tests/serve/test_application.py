"""The page's answers agree with the commands, and nobody else gets any."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import elgeo
from elgeo.evaluation.entailments import Entailments
from elgeo.ontology import read
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.serve.application import _Wanted, application
from elgeo.serve.decisions import Decisions
from elgeo.serve.effects import effect
from elgeo.serve.library import Row, Shelf
from elgeo.training.run import Run
from tests.models.atlas.plain_atlas import small_dataset


@pytest.fixture(scope="module")
def run() -> Run:
    return elgeo.train("family")


@pytest.fixture(scope="module")
def shelf(run: Run) -> Shelf:
    return Shelf("fam", run)


def test_the_axioms_of_a_class_are_those_of_training_that_name_it(shelf: Shelf, run: Run) -> None:
    names, fresh = run.dataset.vocabulary, Kind.FRESH
    lengths = set()
    for name in ("Mother", "Person", "Woman", "Dog"):
        c = names.class_id(name)
        expected = [
            f"{names.class_label(a)} ⊑ ∃ {names.role_label(r)} . {names.class_label(b)}"
            for a, r, b in run.dataset.forms.existential.tolist()
            if c in (a, b) and fresh not in (names.class_kinds[a], names.class_kinds[b])
        ]
        assert shelf.described(name)["axioms"] == expected
        lengths.add(len(expected))
    assert len(lengths) > 1


def test_classes_that_become_empty_are_named(run: Run) -> None:
    names = run.dataset.vocabulary
    mother, man = names.class_id("Mother"), names.class_id("Man")
    found = effect(Entailments(run.dataset), {"subclass": [(mother, man)]})
    tables = {**run.dataset.forms.tables}
    tables["subclass"] = np.concatenate([tables["subclass"], np.array([[mother, man]], np.int32)])
    before, after = (
        set(elgeo.Reasoner(NormalForms(names, t)).unsatisfiable()) for t in (run.dataset.forms.tables, tables)
    )
    assert names.classes[mother] in after - before
    assert {names.classes[c] for c in found.unsatisfiable.tolist()} == after - before
    assert (found.added, found.new, found.links) == (1, 1, None)


@pytest.fixture
def decisions(tmp_path: Path) -> Decisions:
    return Decisions(tmp_path / "d.sqlite")


@pytest.fixture
def client(shelf: Shelf, decisions: Decisions) -> TestClient:
    return TestClient(application([shelf], decisions, ["testserver"]))


def first(client: TestClient, run: Run) -> dict[str, object]:
    head = run.dataset.vocabulary.classes[int(run.dataset.test[0, 0])]
    found: dict[str, object] = client.get("/api/missing", params={"head": head, "top": 3}).json()["missing"][0]
    return found


@pytest.mark.slow
def test_missing_axioms_are_those_of_predict(client: TestClient, run: Run) -> None:
    names = run.dataset.vocabulary
    for c in run.dataset.test[:3, 0].tolist():
        expected = run.predict(head=names.classes[c], top=7)
        found = client.get("/api/missing", params={"head": names.classes[c], "top": 7}).json()["missing"]
        assert [row["tail"]["iri"] for row in found] == expected["tail"].tolist()
        assert [row["score"] for row in found] == pytest.approx(expected["score"].tolist())
        assert [row["status"] for row in found] == expected["status"].tolist()
        assert {row["head"]["iri"] for row in found} == {names.classes[c]}
    every = run.predict(top=9)
    found = client.get("/api/missing", params={"top": 9}).json()["missing"]
    assert [(r["head"]["iri"], r["tail"]["iri"]) for r in found] == list(zip(every["head"], every["tail"], strict=True))
    middle = sorted(row["score"] for row in found)[4]
    few = client.get("/api/missing", params={"top": 9, "score": middle}).json()["missing"]
    wide = client.get("/api/missing", params={"top": 500}).json()["missing"]
    assert [r["score"] for r in few] == [r["score"] for r in wide if r["score"] >= middle][:9]
    novel = client.get("/api/missing", params={"top": 9, "status": "novel"}).json()["missing"]
    assert novel == [r for r in wide if r["status"] == "novel"][:9]


@pytest.mark.parametrize("shape", ["roles", "subclass"])
def test_missing_axioms_have_the_shape_of_the_target(shape: str) -> None:
    dataset = small_dataset(np.random.default_rng(4), shape)
    names, target = dataset.vocabulary, dataset.target_role
    assert (target is None) == (shape == "subclass")
    expected = ("", "is a") if target is None else (names.roles[target], names.role_label(target))
    shelf = Shelf("small", elgeo.train(dataset, "naive"))
    about = shelf.about()
    assert (about["role"], about["role_label"] or "is a") == expected
    assert not about["calibrated"]
    assert not about["geometry"]
    for c in np.unique(dataset.test[:, 0]).tolist()[:3]:
        assert len(shelf.missing(names.classes[c], top=1)) == 1
        rows = shelf.missing(names.classes[c], top=5)
        assert len(rows) == 5
        assert {(row["role"], row["role_label"]) for row in rows} == {expected}
        assert {row["head"]["iri"] for row in rows} == {names.classes[c]}
        assert {row["tail"]["iri"] for row in rows} <= {names.classes[d] for d in dataset.candidates.tolist()}


@pytest.mark.slow
def test_what_was_prepared_is_not_worked_out_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, names = Shelf("again", run), run.dataset.vocabulary
    heads = [names.classes[c] for c in np.unique(run.dataset.test[:, 0]).tolist()]
    expected = [shelf.missing(head) for head in heads]
    shelf = Shelf("again", run)
    shelf.prepare(threading.Event())
    monkeypatch.setattr(shelf, "_predicted", None)
    assert [shelf.missing(head) for head in heads] == expected


def test_reasons_add_up_to_the_score(client: TestClient, run: Run) -> None:
    row = client.get("/api/missing", params={"top": 1}).json()["missing"][0]
    asked = {"head": row["head"]["iri"], "tail": row["tail"]["iri"]}
    reasons = client.get("/api/reasons", params=asked).json()["reasons"]
    assert sum(reason["share"] for reason in reasons) == pytest.approx(row["score"], rel=1e-4, abs=1e-5)


def test_search_finds_names_of_every_sort_the_best_first(client: TestClient, run: Run) -> None:
    names = run.dataset.vocabulary
    c = int(run.dataset.test[0, 0])
    label = names.class_label(c)
    found = client.get("/api/search", params={"q": f"  {label.upper()} "}).json()["found"]
    assert found[0]["iri"] == names.classes[c]
    assert len(client.get("/api/search", params={"q": "e", "top": 4}).json()["found"]) == 4
    assert client.get("/api/search", params={"q": "no such name"}).json()["found"] == []
    assert client.get("/api/search", params={"q": " "}).json()["found"] == []


def test_a_class_has_its_place(client: TestClient, run: Run) -> None:
    names = run.dataset.vocabulary
    reasoner = elgeo.Reasoner(run.dataset.forms)
    for c in run.dataset.test[:3, 0].tolist():
        one = client.get("/api/class", params={"name": names.classes[c]}).json()
        assert {s["iri"] for s in one["superclasses"]} == set(reasoner.superclasses(names.classes[c], direct=True))
        assert {s["iri"] for s in one["subclasses"]} == set(reasoner.subclasses(names.classes[c], direct=True))
        assert one["is_head"]
        assert one["label"] == names.class_label(c)


def test_decisions_are_made_shown_undone_and_exported(
    client: TestClient, run: Run, decisions: Decisions, tmp_path: Path
) -> None:
    row = first(client, run)
    head, tail = row["head"], row["tail"]
    assert isinstance(head, dict)
    assert isinstance(tail, dict)
    axiom = {"head": head["term"], "role": row["role"], "tail": tail["term"]}
    for who, verdict in (("ann", "accept"), ("bob", "accept"), ("ann", "postpone"), ("ann", "accept")):
        sent = {**axiom, "who": who, "verdict": verdict, "note": "<script>alert(1)</script>", "score": row["score"]}
        answer = client.post("/api/decisions", json=sent)
        assert answer.status_code == 200
        assert answer.json()["decision"]["model"] == "atlas"
    assert [d["who"] for d in answer.json()["decisions"]] == ["bob", "ann"], "two say the same, both are shown"
    shown = client.get("/api/missing", params={"head": head["iri"], "top": 3}).json()["missing"]
    assert [d["who"] for d in shown[0]["decisions"]] == ["bob", "ann"]
    assert shown[1]["decisions"] == []
    (tmp_path / "accepted.ofn").write_text(client.get("/api/accepted.ofn").text)
    exported = read(tmp_path / "accepted.ofn")
    assert [str(a) for a in exported.axioms] == [decisions.accepted()[0].axiom.functional()]
    labels, spoken_of = run.dataset.vocabulary.labels, (head["iri"], str(row["role"]), tail["iri"])
    assert dict(exported.labels) == {iri: labels[iri] for iri in spoken_of if iri in labels}
    assert "predicted by elgeo" in client.get("/api/accepted.ofn").text
    assert client.get("/api/effect").json()["added"] == 1
    assert client.post("/api/undo", json={**axiom, "who": "bob"}).json()["undone"]
    assert not client.post("/api/undo", json={**axiom, "who": "bob"}).json()["undone"]
    assert [d["who"] for d in client.get("/api/decisions").json()["decisions"]] == ["ann"]


def test_the_effect_is_what_the_reasoner_says(client: TestClient, shelf: Shelf, run: Run) -> None:
    names, dataset = run.dataset.vocabulary, run.dataset
    rows = client.get("/api/missing", params={"top": 5}).json()["missing"]
    for row in rows:
        axiom = {"head": row["head"]["term"], "role": row["role"], "tail": row["tail"]["term"]}
        client.post("/api/decisions", json={**axiom, "who": "ann", "verdict": "accept"})
    effect = client.get("/api/effect").json()
    before, after = (
        elgeo.Reasoner(dataset.forms),
        {form: table.tolist() for form, table in dataset.forms.tables.items()},
    )
    for row in rows:
        ids = [names.class_id(row["head"]["iri"]), names.class_id(row["tail"]["iri"])]
        form = "existential" if row["role"] else "subclass"
        after[form].append([ids[0], names.role_id(row["role"]), ids[1]] if row["role"] else ids)
    tables = {f: np.array(t, np.int32).reshape(-1, dataset.forms.tables[f].shape[1]) for f, t in after.items()}
    more = elgeo.Reasoner(NormalForms(names, tables))

    def pairs(reasoner: elgeo.Reasoner) -> int:
        empty = set(reasoner.unsatisfiable())
        named = [iri for c, iri in enumerate(names.classes) if c > 1 and names.class_kinds[c] == 1]
        return sum(1 if iri in empty else len(reasoner.superclasses(iri)) for iri in named)

    def links(reasoner: elgeo.Reasoner) -> int:
        real = [c for c in range(2, names.n_classes) if names.class_kinds[c] in (Kind.NAMED, Kind.INDIVIDUAL)]
        every = [(c, r, d) for c in real for r in range(names.n_roles) for d in real]
        every = [row for row in every if names.role_kinds[row[1]] == Kind.NAMED]
        return int(reasoner.closure().contains("existential", every).sum())

    assert effect["added"] == 5
    assert effect["subsumptions"] == pairs(more) - pairs(before)
    assert effect["links"] == links(more) - links(before)
    assert effect["new"] == 5
    assert effect["links"] + effect["subsumptions"] >= 5, "they follow themselves"
    assert {one["iri"] for one in effect["unsatisfiable"]} == set(more.unsatisfiable()) - set(before.unsatisfiable())


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/api/class?name=nobody", 404, "no class is called 'nobody'"),
        ("/api/class", 400, "say which: ?name="),
        ("/api/missing?top=many", 400, "top has to be a number, not 'many'"),
        ("/api/missing?top=-1", 400, "top has to be a number"),
        ("/api/missing?top=", 400, "top has to be a number, not ''"),
        ("/api/missing?top=1000000", 400, "top has to be a number, not '1000000'"),
        ("/api/missing?score=high", 400, "score has to be a number"),
        ("/api/missing?run=other", 404, "no run is called 'other'; there are fam"),
        ("/api/missing?head=owl:Thing", 404, "no class is called"),
    ],
)
def test_bad_questions_get_one_message(client: TestClient, path: str, status: int, said: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert said in answer.json()["error"]


@pytest.mark.parametrize(
    ("document", "status"),
    [
        ("[]", 400),
        ("{", 400),
        ('{"a": ' * 100_000, 413),
        ('{"head": "http://x/A", "tail": "http://x/B", "who": "ann", "verdict": "maybe"}', 400),
        ('{"head": "http://x/A", "tail": "http://x/B", "who": "", "verdict": "accept"}', 400),
        ('{"head": 5, "tail": "http://x/B", "who": "ann", "verdict": "accept"}', 400),
        ('{"head": "http://x/A", "tail": "http://x/B", "who": "ann", "verdict": "accept", "score": "1"}', 400),
        ('{"head": "http://x/A> <", "tail": "http://x/B", "who": "ann", "verdict": "accept"}', 400),
    ],
)
def test_what_is_no_decision_is_refused(client: TestClient, decisions: Decisions, document: str, status: int) -> None:
    answer = client.post("/api/decisions", content=document, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert len(answer.json()["error"]) < 300
    assert decisions.all() == []


@pytest.mark.parametrize("more", [0, 1])
def test_a_question_may_be_as_long_as_is_said(client: TestClient, more: int) -> None:
    axiom = {"head": "http://x/A", "role": "", "tail": "http://x/B", "who": "ann", "verdict": "accept"}
    body = json.dumps(axiom).ljust(65_536 + more)
    answer = client.post("/api/decisions", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == (413 if more else 200)
    assert not more or answer.json()["error"] == "more than 65,536 bytes"


def test_pages_from_elsewhere_can_neither_read_nor_write(client: TestClient, decisions: Decisions) -> None:
    axiom = {"head": "http://x/A", "role": "", "tail": "http://x/B", "who": "eve", "verdict": "accept"}
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"host": "evil.example"},
        {"host": "evil.example:8017"},
    ):
        assert client.get("/api/decisions", headers=headers).status_code in (403, 421)
        assert client.post("/api/decisions", json=axiom, headers=headers).status_code in (403, 421)
        assert client.get("/", headers=headers).status_code in (403, 421)
    # a form of another page can send text without asking first
    sent = client.post("/api/decisions", content=json.dumps(axiom), headers={"content-type": "text/plain"})
    assert sent.status_code == 415
    assert decisions.all() == []
    assert client.get("/api/decisions", headers={"origin": "http://testserver"}).status_code == 200


@pytest.mark.parametrize(
    ("wanted", "probability", "verdicts", "taken"),
    [
        (("", None, None, ""), None, [], True),
        (("novel", None, None, ""), None, [], True),
        (("entailed", None, None, ""), None, [], False),
        (("", 1.5, None, ""), None, [], True),
        (("", 1.625, None, ""), None, [], False),
        (("", None, 0.25, ""), 0.25, [], True),
        (("", None, 0.5, ""), 0.25, [], False),
        (("", None, 0.0, ""), None, [], True),
        (("", None, 0.25, ""), None, [], False),
        (("", None, None, "nobody"), None, [], True),
        (("", None, None, "nobody"), None, ["postpone"], False),
        (("", None, None, "accept"), None, ["reject", "accept"], True),
        (("", None, None, "accept"), None, ["reject"], False),
        (("novel", 1.0, 0.25, "reject"), 0.5, ["reject", "accept"], True),
        (("novel", 1.0, 0.25, "reject"), 0.5, ["accept"], False),
        (("novel", 1.0, 0.75, "reject"), 0.5, ["reject"], False),
        (("novel", 2.0, 0.25, "reject"), 0.5, ["reject"], False),
        (("known", 1.0, 0.25, "reject"), 0.5, ["reject"], False),
    ],
)
def test_a_missing_axiom_is_shown_if_it_is_all_that_is_asked_for(
    wanted: tuple[str, float | None, float | None, str], probability: float | None, verdicts: list[str], taken: bool
) -> None:
    row = Row(status="novel", score=1.5, probability=probability)
    assert _Wanted(*wanted).takes(row, [{"verdict": verdict} for verdict in verdicts]) == taken


@pytest.mark.slow
def test_twenty_are_answered_where_no_number_is_said(decisions: Decisions) -> None:
    shelf = Shelf("cell", elgeo.train("cell-tiny", "naive"))
    client = TestClient(application([shelf], decisions, ["testserver"]))
    for path, key in (("/api/missing?", "missing"), ("/api/search?q=p", "found")):
        assert len(client.get(f"{path}&top=1").json()[key]) == 1
        assert len(client.get(f"{path}&top=21").json()[key]) == 21
        assert len(client.get(path).json()[key]) == 20


def test_every_answer_forbids_scripts_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/page.js", "/page.css", "/api/runs", "/openapi.json", "/nowhere"):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    page = client.get("/").text
    assert "http" not in page.replace("charset=", "")
    assert "innerHTML" not in client.get("/page.js").text


def test_a_token_keeps_strangers_out(shelf: Shelf, decisions: Decisions) -> None:
    site = application([shelf], decisions, ["testserver"], "open sesame")
    for path in ("/", "/api/runs", "/page.js"):
        assert TestClient(site).get(path).status_code == 401
        assert TestClient(site).get(path, params={"token": "open"}).status_code == 401
        assert TestClient(site).get(path, headers={"authorization": "Bearer open sesame"}).status_code == 200
    visitor = TestClient(site)
    assert visitor.get("/", params={"token": "open sesame"}).status_code == 200
    assert visitor.get("/api/runs").status_code == 200, "the page's own questions carry the cookie"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("score", "NaN", "score has to be a finite number"),
        ("score", "-Infinity", "score has to be a finite number"),
        ("score", "1e999", "score has to be a finite number"),
        ("score", "1" + "0" * 400, "score has to be a smaller number"),
        ("score", "true", "score has to be a number"),
        ("note", '"\\ud800"', "note is no text"),
        ("who", '"\\udc00"', "a name of a person"),
        ("who", '"an\\u202ena"', "a name of a person"),
        ("who", '"two\\nlines"', "a name of a person"),
        ("head", '"{}"', "no IRI"),
        ("tail", '"http://x/\\u0001"', "no IRI"),
        ("tail", '"http://x/\\u2028"', "no IRI"),
        ("role", '"http://x/\\udfff"', "no IRI"),
    ],
)
def test_what_cannot_be_kept_or_exported_is_refused(
    client: TestClient, decisions: Decisions, field: str, value: str, said: str
) -> None:
    """One such decision would make the list of all, or the file of the accepted, unreadable for everyone."""
    axiom = {"head": "http://x/a", "role": "", "tail": "http://x/b", "who": "ann", "verdict": "accept", "note": ""}
    sent = {name: json.dumps(text) for name, text in axiom.items()} | {field: value}
    document = "{" + ", ".join(f'"{name}": {text}' for name, text in sent.items()) + "}"
    answer = client.post("/api/decisions", content=document, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert said in answer.json()["error"]
    assert decisions.all() == []
    assert client.post("/api/decisions", json=axiom).status_code == 200
    assert len(client.get("/api/decisions").json()["decisions"]) == 1


def test_a_tab_that_is_closed_in_the_midst_is_no_mistake(shelf: Shelf, decisions: Decisions) -> None:
    site = application([shelf], decisions, ["testserver"])
    parts = [{"type": "http.request", "body": b'{"head":', "more_body": True}, {"type": "http.disconnect"}]
    headers = [(b"host", b"testserver"), (b"content-type", b"application/json")]
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/api/decisions", "query_string": b""}
    sent: list[Any] = []

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(site({**scope, "headers": headers}, receive, send))
    assert sent[0]["status"] == 400
    assert decisions.all() == []


def test_a_mistake_of_ours_is_said_as_one(shelf: Shelf, decisions: Decisions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "search", None)
    client = TestClient(application([shelf], decisions, ["testserver"]), raise_server_exceptions=False)
    answer = client.get("/api/search", params={"q": "a"})
    assert (answer.status_code, answer.json()["error"][:33]) == (500, "the server could not answer this:")
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_description_has_every_address(client: TestClient, shelf: Shelf, decisions: Decisions) -> None:
    document = client.get("/openapi.json").json()
    described = {(path, method.upper()) for path, of in document["paths"].items() for method in of}
    routes = application([shelf], decisions, []).routes
    served = {
        (route.path, method)  # type: ignore[attr-defined]
        for route in routes
        for method in route.methods - {"HEAD"}  # type: ignore[attr-defined]
        if route.path.startswith(("/api/", "/openapi"))  # type: ignore[attr-defined]
    }
    assert described == served


@pytest.mark.slow
def test_many_ask_at_once(shelf: Shelf, run: Run, decisions: Decisions) -> None:
    site = application([shelf], decisions, ["testserver"])
    names, problems = run.dataset.vocabulary, list[str]()

    def reader(i: int) -> None:
        with TestClient(site) as client:
            for c in run.dataset.test[:4, 0].tolist():
                if client.get("/api/missing", params={"head": names.classes[c], "top": 5 + i}).status_code != 200:
                    problems.append(names.classes[c])

    def writer(i: int) -> None:
        with TestClient(site) as client:
            for j in range(10):
                axiom = {"head": f"http://x/{i}-{j}", "tail": "http://x/B", "who": f"w{i}", "verdict": "accept"}
                if client.post("/api/decisions", json=axiom).status_code != 200:
                    problems.append(axiom["head"])

    threads = [threading.Thread(target=reader if i % 2 else writer, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(decisions.all()) == 30
