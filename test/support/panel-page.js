// Runs inside the job panel's page: tells, as plain data, what a person sees there. JavaScript, because the project's
// TypeScript knows no DOM; test/support/panel-look.ts checks what comes out.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen has its line breaks
  const words = (element) => element.innerText.replaceAll(/\s+/g, ' ').trim();

  /** How many pixels of a canvas have been drawn on. */
  function ink(canvas) {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 0) count++;
    return count;
  }

  return {
    cards: all('section.job').map((card) => ({
      title: words(card.querySelector('h2')),
      progress: all('.progress', card).map(words).join(),
      facts: all('dl > div', card).map(words),
      buttons: all('button', card).map(words),
      problem: all('.problem', card).map(words).join(),
    })),
    notice: all('#empty, #summary').map(words).join(),
    charts: all('figure').map((figure) => ({
      label: figure.getAttribute('aria-label') ?? '',
      ink: ink(figure.querySelector('canvas')),
      legend: all('.u-series', figure).map((row) => ({
        text: words(row),
        shown: !row.classList.contains('u-off'),
      })),
    })),
    table: all('#table tr').map(words),
    steps: all('section.step').map((step) => step.getAttribute('aria-label') ?? ''),
    hiddenPixels: Math.max(0, ...all('#graph').map((graph) => graph.scrollWidth - graph.clientWidth)),
    focused: document.activeElement?.id ?? '',
    background: getComputedStyle(document.body).backgroundColor,
  };
})();
