/** The panel's page: nothing but our own script and style is allowed in it. */
export function pageHtml(script: string, style: string, source: string, nonce: string): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; img-src data:`;
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
<div id="jobs"></div>
<p id="empty"></p>
<div id="charts"></div>
<p id="exports"><button id="csv"></button><button id="png"></button></p>
<table id="table"></table>
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
