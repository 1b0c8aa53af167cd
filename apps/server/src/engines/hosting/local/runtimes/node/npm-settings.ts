/** What `npm ci` does not do for a release. */
export const npmSettings = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_progress: 'false',
  npm_config_update_notifier: 'false',
}
