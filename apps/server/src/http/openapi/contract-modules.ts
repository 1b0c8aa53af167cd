import * as account from '@slipway/contract/account'
import * as accountSecurity from '@slipway/contract/account-security'
import * as activity from '@slipway/contract/activity'
import * as auth from '@slipway/contract/auth'
import * as captcha from '@slipway/contract/captcha'
import * as clusters from '@slipway/contract/clusters'
import * as containerImages from '@slipway/contract/container-images'
import * as domains from '@slipway/contract/domains'
import * as emails from '@slipway/contract/emails'
import * as environment from '@slipway/contract/environment'
import * as events from '@slipway/contract/events'
import * as invoices from '@slipway/contract/invoices'
import * as loginProvider from '@slipway/contract/login-provider'
import * as logs from '@slipway/contract/logs'
import * as nextSteps from '@slipway/contract/next-steps'
import * as operator from '@slipway/contract/operator'
import * as paymentMethodForms from '@slipway/contract/payment-method-forms'
import * as paymentMethods from '@slipway/contract/payment-methods'
import * as personalTokens from '@slipway/contract/personal-tokens'
import * as products from '@slipway/contract/products'
import * as projectMoves from '@slipway/contract/project-moves'
import * as projects from '@slipway/contract/projects'
import * as refunds from '@slipway/contract/refunds'
import * as regions from '@slipway/contract/regions'
import * as registries from '@slipway/contract/registries'
import * as releases from '@slipway/contract/releases'
import * as runtimes from '@slipway/contract/runtimes'
import * as serviceLinks from '@slipway/contract/service-links'
import * as sessions from '@slipway/contract/sessions'
import * as signInClients from '@slipway/contract/sign-in-clients'
import * as siteBackups from '@slipway/contract/site-backups'
import * as support from '@slipway/contract/support'
import * as teams from '@slipway/contract/teams'
import * as traffic from '@slipway/contract/traffic'

/** The parts of the API, each with its purpose. */
export const tags = {
  Account: 'Sign-up, sign-in, the profile and its sessions',
  Teams: 'Teams, their members, invitations and registries',
  Projects: 'Projects and the sites that they run',
  Releases: 'Uploads, rollbacks and versions of a site',
  Backups: 'Backups of the files that a site has written',
  Domains: 'Custom domains of a project',
  'Environment variables': 'Environment variables of a site',
  'Logs and traffic': 'What a site prints, and the requests to it',
  'Sign-in clients': 'OpenID Connect clients of a project, and their sign-in',
  'Personal tokens': 'Tokens of programs, and the confirmation of a login on a device',
  Activity: 'What happened to projects, in teams and to the account',
  Billing: 'Invoices, payments and payment methods',
  Support: 'Tickets and their messages',
  Console: 'What the console shows on every page',
  Events: 'The socket that reports changes',
  Operators: 'Calls of the operators of this service',
} as const
export type Tag = keyof typeof tags

type Exports = Readonly<Record<string, unknown>>

/** The contract's files with endpoints or schemas of responses, and the tag of their calls. */
export const contractModules: readonly (readonly [tag: Tag, exports: Exports])[] = [
  ['Account', account],
  ['Account', accountSecurity],
  ['Account', auth],
  ['Account', captcha],
  ['Account', sessions],
  ['Teams', teams],
  ['Teams', registries],
  ['Projects', projects],
  ['Projects', nextSteps],
  ['Projects', regions],
  ['Console', serviceLinks],
  ['Releases', releases],
  ['Releases', runtimes],
  ['Releases', containerImages],
  ['Backups', siteBackups],
  ['Domains', domains],
  ['Environment variables', environment],
  ['Logs and traffic', logs],
  ['Logs and traffic', traffic],
  ['Sign-in clients', signInClients],
  ['Sign-in clients', loginProvider],
  ['Personal tokens', personalTokens],
  ['Activity', activity],
  ['Billing', invoices],
  ['Billing', paymentMethods],
  ['Billing', paymentMethodForms],
  ['Support', support],
  ['Events', events],
  ['Operators', operator],
  ['Operators', clusters],
  ['Operators', projectMoves],
  ['Operators', emails],
  ['Operators', products],
  ['Operators', refunds],
]
