import base64
import re

import numpy as np
from figure_checks import read_png

from disentangle_tf import plots


def test_report_holds_scores_and_pictures():
  picture = plots.picture_to_png(np.zeros((2, 2, 3)))
  text = plots.html_report(
    title="A < B",
    introduction="why",
    parts=[
      plots.table_part("Scores", "note", {"one": {"mig": 0.25}, "two": {"mig": 0.5}}),
      plots.facts_part("Facts", "", {"path": "<script>"}),
      plots.pictures_part("Pictures", "what", {"left": picture, "right": picture}),
    ],
  )
  assert "A &lt; B" in text
  assert "<dt>path</dt><dd>&lt;script&gt;</dd>" in text
  assert '<td class="best">0.500</td>' in text
  assert '<td class="other">0.250</td>' in text
  assert text.count("data:image/png;base64,") == 2
  assert "http" not in text


def test_pictures_are_those_given():
  picture = np.random.default_rng(0).random((3, 4, 3))
  part = plots.pictures_part(
    "a", "", {"<b>": plots.picture_to_png(picture)}, pixels=True
  )
  (content,) = re.findall('src="data:image/png;base64,(.*?)"', part)
  np.testing.assert_allclose(read_png(base64.b64decode(content)), picture, atol=1 / 254)
  assert "<figcaption>&lt;b&gt;</figcaption>" in part and 'class="pixels"' in part


def test_pictures_may_be_vectors_or_lead_somewhere_or_be_missing():
  svg = b'<?xml version="1.0"?><svg/>'
  pictures = {"a": svg, "b & c": "why <not>"}
  part = plots.pictures_part("Pictures", "", pictures, links={"b & c": 'x?"=&'})
  encoded = base64.b64encode(svg).decode()
  assert f'src="data:image/svg+xml;base64,{encoded}"' in part
  assert '<a href="x?&#34;=&amp;">b &amp; c</a>' in part
  assert '<p class="note">why &lt;not&gt;</p>' in part
  assert part.count("<img") == part.count("<a ") == 1


def test_texts_are_shown_as_they_are():
  part = plots.texts_part("Words", "", {"<a>": "x <b>\n  y"})
  assert "<summary>&lt;a&gt;</summary><pre>x &lt;b&gt;\n  y</pre>" in part


def test_a_page_has_a_script_only_if_it_needs_one():
  words = {"title": "a", "introduction": "b", "parts": []}
  assert "<script" not in plots.html_report(**words)
  assert "<script>\nlet x = {};</script>" in plots.html_report(
    **words, script="let x = {};"
  )


def test_foreign_text_is_escaped_exactly_once():
  evil = "</title><script>alert('&amp;')</script>"
  parts = [
    plots.table_part(evil, evil, {evil: {evil: 1.0}}),
    plots.facts_part(evil, evil, {evil: evil}),
    plots.pictures_part(evil, evil, {evil: evil}, links={evil: evil}),
    plots.pictures_part(evil, evil, {evil: b"<svg/>"}),
    plots.texts_part(evil, evil, {evil: evil}),
    evil,
  ]
  page = plots.html_report(title=evil, introduction=evil, parts=parts)
  assert "<script" not in page and page.count("</title>") == 1
  assert page.count("&lt;script&gt;alert(&#39;&amp;amp;&#39;)") == 25
  assert "&amp;lt;" not in page and "&amp;#39;" not in page
