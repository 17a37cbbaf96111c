/** The graph's page: nothing but our own script and style is allowed in it. */
export function planPageHtml(script: string, style: string, source: string, nonce: string): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main>
<h1 id="title"></h1>
<p id="summary"></p>
<p id="actions"></p>
<div id="graph"><svg id="arrows" aria-hidden="true"></svg><div id="steps"></div></div>
<p id="news" class="hidden" role="status"></p>
<details id="words"><summary id="inWords"></summary><table id="table"></table></details>
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
