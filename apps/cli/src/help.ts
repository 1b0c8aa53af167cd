import { type Locale, m } from '@slipway/phrases'

/** The help of each command. */
export const helpTopics: Record<string, (inputs: object, options: { locale: Locale }) => string> = {
  login: m.cli_help_login,
  logout: m.cli_help_logout,
  whoami: m.cli_help_whoami,
  projects: m.cli_help_projects,
  create: m.cli_help_create,
  link: m.cli_help_link,
  deploy: m.cli_help_deploy,
  releases: m.cli_help_releases,
  rollback: m.cli_help_rollback,
  update: m.cli_help_update,
  logs: m.cli_help_logs,
  traffic: m.cli_help_traffic,
  stop: m.cli_help_stop,
  start: m.cli_help_start,
  restart: m.cli_help_restart,
  delete: m.cli_help_delete,
  env: m.cli_help_env,
  domains: m.cli_help_domains,
  backups: m.cli_help_backups,
  open: m.cli_help_open,
  help: m.cli_help,
}

/** The help of a command, or the list of all; undefined for an unknown one. */
export const helpText = (topic: string | undefined, locale: Locale): string | undefined =>
  (topic === undefined ? m.cli_help : helpTopics[topic])?.({}, { locale })
