import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ArtifactFiles } from '../../artifacts/artifact-layout.ts'
import { type Manifest, readManifest } from '../../artifacts/manifest.ts'
import { type HeaderRule, parseHeaderRules } from './header-rules.ts'
import { type IgnoredLine, parseRedirects, type RedirectRule } from './redirects.ts'
import { maxRuleBytes } from './rule-limits.ts'

/** The files of rules, in the order of their warnings. */
export type RuleFile = '_redirects' | '_headers'

export type StaticSite = {
  files: ArtifactFiles
  manifest: Manifest
  redirects: RedirectRule[]
  headers: HeaderRule[]
}

/** Reads the manifest and the rules of an artifact, and the rule lines that have no effect. */
export async function loadSite(
  files: ArtifactFiles,
): Promise<{ site: StaticSite; ignored: Record<RuleFile, IgnoredLine[]> }> {
  const manifest = await readManifest(files.manifest)
  const read = async <Rule>(
    name: RuleFile,
    parse: (text: string) => { rules: Rule[]; ignored: IgnoredLine[] },
  ) => {
    if (!manifest.has(name)) return { rules: [], ignored: [] }
    const { text, tooLong } = await readRules(join(files.files, name))
    const { rules, ignored } = parse(text)
    return { rules, ignored: [...ignored, ...tooLong] }
  }
  const redirects = await read('_redirects', parseRedirects)
  const headers = await read('_headers', parseHeaderRules)
  return {
    site: { files, manifest, redirects: redirects.rules, headers: headers.rules },
    ignored: { _redirects: redirects.ignored, _headers: headers.ignored },
  }
}

/** The whole lines within the maximum size, and the first line beyond it. */
async function readRules(path: string): Promise<{ text: string; tooLong: IgnoredLine[] }> {
  // One byte more shows whether the file is longer.
  const bytes = await buffer(createReadStream(path, { end: maxRuleBytes }))
  const text = bytes.toString('utf8', 0, maxRuleBytes)
  if (bytes.length <= maxRuleBytes) return { text, tooLong: [] }
  const lines = text.slice(0, text.lastIndexOf('\n') + 1)
  return { text: lines, tooLong: [{ line: lines.split('\n').length, problem: 'file_too_long' }] }
}
