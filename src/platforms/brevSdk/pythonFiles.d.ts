// The bridge's files are real Python files and import as text, as remote scripts do: esbuild's loader in the bundle,
// test/support/sh-loader.ts in plain Node.
declare module '*.py' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: what both loaders make of a text file.
  export default text;
}
