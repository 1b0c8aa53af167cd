import type { ReleaseDetail, Release as Response, RuleProblem } from '@slipway/contract/releases'
import { formatBytes, formatNumber, type Locale, m } from '@slipway/phrases'
import { maxRuleBytes, maxRules } from '../../gateway/static/rule-limits.ts'
import type { LogLine } from './releases.schema.ts'
import type { ListedRelease } from './releases.store.ts'

type Files = Pick<ListedRelease, 'runtime'> & { artifact: string | null }

/** True when the files of a release are those that the project runs. */
export const isCurrent = (release: Files, project: Files): boolean =>
  release.runtime === project.runtime && release.artifact === project.artifact

export const toResponse = (release: ListedRelease, project: Files): Response => ({
  id: release.id,
  number: release.number,
  runtime: release.runtime,
  state: release.state,
  failure: release.failure,
  failureDetail: release.failureDetail,
  source: release.source,
  rollbackOf: release.rollbackOf,
  isCurrent: isCurrent(release, project),
  image: release.image,
  createdBy: { id: release.userId, name: release.userName },
  archiveBytes: release.archiveBytes,
  files: release.files,
  bytes: release.bytes,
  changes: release.changes,
  warnings: release.log.reduce((sum, line) => sum + warningsIn(line), 0),
  createdAt: release.createdAt.toISOString(),
  finishedAt: release.finishedAt?.toISOString() ?? null,
})

function warningsIn(line: LogLine): number {
  if (line.event === 'rule_warning') return 1
  return line.event === 'more_warnings' ? line.count : 0
}

export const toLogLine = (line: LogLine, locale: Locale): ReleaseDetail['log'][number] => ({
  time: line.time,
  text: logText(line, locale),
  isWarning: warningsIn(line) > 0,
})

const ruleTexts: Record<
  RuleProblem,
  (limits: { max: string; size: string }, options: { locale: Locale }) => string
> = {
  path_invalid: m.release_rule_path_invalid,
  target_missing: m.release_rule_target_missing,
  query_invalid: m.release_rule_query_invalid,
  condition_unsupported: m.release_rule_condition_unsupported,
  status_invalid: m.release_rule_status_invalid,
  proxy_unsupported: m.release_rule_proxy_unsupported,
  too_many_rules: m.release_rule_too_many_rules,
  file_too_long: m.release_rule_file_too_long,
  path_missing: m.release_rule_path_missing,
  header_invalid: m.release_rule_header_invalid,
  header_reserved: m.release_rule_header_reserved,
  endless: m.release_rule_endless,
}

const ruleText = (problem: RuleProblem, locale: Locale): string =>
  ruleTexts[problem](
    { max: formatNumber(maxRules, locale), size: formatBytes(maxRuleBytes, locale) },
    { locale },
  )

function logText(line: LogLine, locale: Locale): string {
  switch (line.event) {
    case 'received':
      return m.release_log_received({ size: formatBytes(line.bytes, locale) }, { locale })
    case 'unpacked': {
      const files = formatNumber(line.files, locale)
      return m.release_log_unpacked(
        { count: line.files, files, size: formatBytes(line.bytes, locale) },
        { locale },
      )
    }
    case 'rule_warning': {
      const { file, problem } = line
      const number = formatNumber(line.line, locale)
      return m.release_log_rule({ file, number, reason: ruleText(problem, locale) }, { locale })
    }
    case 'more_warnings':
      return m.release_log_more_warnings(
        { count: line.count, number: formatNumber(line.count, locale) },
        { locale },
      )
    case 'image':
      return m.release_log_image({ image: line.reference }, { locale })
    case 'backed_up':
      return m.release_log_backed_up({}, { locale })
    case 'not_backed_up':
      return m.release_log_not_backed_up({}, { locale })
    case 'live':
      return m.release_log_live({}, { locale })
    case 'deployed':
      return m.release_log_deployed({}, { locale })
    case 'output':
      return line.text
  }
}
