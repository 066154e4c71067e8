"""What a page looks like on paper."""
import re


def pages_of(page, folder):
    """The number of sheets that Chromium prints by the page's @page rule, and their sizes in points, rounded."""
    file = folder / "page.pdf"
    page.pdf(path=file, prefer_css_page_size=True)
    content = file.read_bytes()
    boxes = re.findall(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]", content)
    return len(re.findall(rb"/Type\s*/Page\b", content)), sorted({(round(float(w)), round(float(h))) for w, h in boxes})
