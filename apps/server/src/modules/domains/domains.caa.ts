/** A CAA record, with any tag (RFC 8659 §4.1). */
export type CaaRecord = { flags?: number | undefined; tag: string; value: string }

/** Properties that certificate authorities understand (RFC 8659, 8657, 9495; CA/B Forum BR). */
const knownTags = new Set([
  'issue',
  'issuewild',
  'issuemail',
  'issuevmc',
  'iodef',
  'contactemail',
  'contactphone',
])

/** How this service proves a name to an authority (RFC 8657 §4). */
const validationMethod = 'http-01'

type Issue = { issuer: string; parameters: Map<string, string> }

/** `ca.example; name=value` (RFC 8659 §4.2); null if malformed, which permits no CA. */
function parseIssue(value: string): Issue | null {
  const [issuer = '', ...parts] = value.split(';').map((part) => part.trim())
  if (!/^([a-z0-9-]+(\.[a-z0-9-]+)*)?$/i.test(issuer)) return null
  const parameters = new Map<string, string>()
  for (const part of parts.filter(Boolean)) {
    const [, tag, parameter] = /^([a-z0-9-]+)\s*=\s*([!-:<-~]*)$/i.exec(part) ?? []
    if (tag === undefined || parameter === undefined) return null
    parameters.set(tag.toLowerCase(), parameter)
  }
  return { issuer: issuer.toLowerCase(), parameters }
}

function permits(value: string, issuers: readonly string[]) {
  const issue = parseIssue(value)
  if (!issue || !issuers.includes(issue.issuer)) return false
  const methods = issue.parameters.get('validationmethods')
  // Only the authority can tell whether `accounturi` names our account.
  return methods === undefined || methods.toLowerCase().split(',').includes(validationMethod)
}

/**
 * Whether one of the authorities may issue a certificate, by the CAA records of a name or of the
 * next name above it that has any (RFC 8659 §3, §4). `issuewild` is about wildcards, which
 * customers do not have.
 */
export function caaPermits(records: readonly CaaRecord[], issuers: readonly string[]): boolean {
  const properties = records.map((each) => ({ ...each, tag: each.tag.toLowerCase() }))
  // RFC 8659 §4.1: a CA must not issue if it does not understand a critical property (bit 7).
  const hasUnknownCritical = properties.some(
    ({ tag, flags = 0 }) => (flags & 128) !== 0 && !knownTags.has(tag),
  )
  if (hasUnknownCritical) return false
  const issue = properties.filter(({ tag }) => tag === 'issue')
  return issue.length === 0 || issue.some(({ value }) => permits(value, issuers))
}
