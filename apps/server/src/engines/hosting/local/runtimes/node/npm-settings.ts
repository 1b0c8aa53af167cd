export const npmSettings = {
  npm_config_audit: 'false',
  // Otherwise the output of a package's script is lost when the installation ends at a limit.
  npm_config_foreground_scripts: 'true',
  npm_config_fund: 'false',
  npm_config_progress: 'false',
  npm_config_update_notifier: 'false',
}
