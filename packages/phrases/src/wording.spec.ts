import { describe, expect, it } from 'vitest'
import { m } from './index.ts'

type Key = keyof typeof m
type Phrase = (inputs: object, options: { locale: 'en' }) => string

/** Fills each placeholder with its own name in braces, and `name` with Google. */
const inputs = new Proxy(
  {},
  { get: (_, name) => (name === 'name' ? 'Google' : `{${String(name)}}`) },
)

const english = (key: Key) => (m[key] as Phrase)(inputs, { locale: 'en' })

/**
 * The texts of the specification, each with the keys of its phrases. Duplicated on purpose: a
 * changed phrase fails here.
 */
const texts: [text: string, ...keys: Key[]][] = [
  // The shell
  ['Projects', 'shell_projects', 'projects_title'],
  ['Teams', 'shell_teams', 'teams_title'],
  ['Support', 'shell_support'],
  ['Billing', 'shell_billing', 'invoices_overview_title'],
  ['Account', 'shell_account'],
  ['Logout', 'shell_logout'],
  ['Auto', 'shell_color_auto'],
  ['Light', 'shell_color_light'],
  ['Dark', 'shell_color_dark'],
  ['Read & Agree', 'shell_alpha_agree'],
  [
    'Data may be wiped during the Open Alpha period, with no guarantee of service continuity.',
    'shell_alpha_notice',
  ],
  ['Page not found', 'shell_page_not_found'],
  ['Encountered an error while loading {item}', 'shell_loading_failed'],

  // Login
  ['Continue with Google', 'oauth_continue_with'],
  ["I'm not a robot", 'captcha_label'],
  ['Failed to solve the challenge', 'captcha_failed_to_solve'],
  ['Verification is expired', 'captcha_expired'],
  ['Failed to verify', 'captcha_failed_to_verify'],
  ['Verifying', 'auth_verifying'],
  ['Your account is verified successfully', 'auth_verified'],
  ['Failed to verify account', 'auth_verify_failed'],
  ['Your account is already verified', 'auth_already_verified', 'error_already_verified'],
  ['Failed to login', 'oauth_code_failed'],
  ['Invalid token found in url', 'auth_reset_no_token'],

  // Projects
  ['Create Project', 'projects_create', 'invoices_active_create'],
  ['Pending', 'projects_state_pending'],
  ['Creating', 'projects_state_creating'],
  ['Failed to Create', 'projects_state_failed_creating'],
  ['Ready', 'projects_state_ready'],
  ['Modifying', 'projects_state_modifying'],
  ['Deleting', 'projects_state_deleting'],
  ['Deleted', 'projects_state_deleted'],
  ['Delete', 'projects_delete', 'cards_delete'],
  ['Could not find the project with key {key}', 'projects_missing'],

  // Teams
  ['Owner', 'teams_owner'],
  ['Joined', 'teams_joined'],
  ['Invitations', 'teams_invitations'],
  ['Details', 'teams_details'],
  ['Users', 'teams_users'],
  ['Leave Team', 'teams_leave'],
  ['Accept', 'teams_accept'],
  ['Reject', 'teams_reject'],
  ['Could not find the team with id {id}', 'teams_missing'],

  // Support
  ['Create Ticket', 'support_create'],
  ['Mark as Resolved', 'support_resolve'],
  ['Open', 'support_state_open'],
  ['Resolved', 'support_state_resolved'],
  ['Support Team', 'support_team'],
  ['Could not find the ticket with id {id}', 'support_missing'],

  // The account
  ['Personal Info', 'account_personal_info'],
  ['Login', 'account_login'],
  ['Delete Account', 'account_delete'],
  ['Not implemented yet', 'account_not_implemented'],

  // Billing
  ['Overview', 'invoices_overview_tab'],
  ['Invoices', 'invoices_overview_tab_invoices', 'invoices_title'],
  ['Make Payment', 'invoices_overview_pay', 'invoices_make_payment', 'payments_screen_title'],
  ['Active Invoice', 'invoices_active_title'],
  ['Previous', 'invoices_previous'],
  ['Next', 'invoices_next'],
  ['Edit', 'cards_edit'],
  ['Mark Default', 'cards_mark_default'],
  ['Expired', 'cards_expired'],
  ['MasterCard', 'cards_master_card'],
  ['Visa', 'cards_visa'],
  ['Turkey', 'cards_country_turkey'],
  ['England', 'cards_country_england'],
  ['Could not find the invoice with id {id}', 'invoices_missing'],

  // Form fields
  ['Please enter your email', 'form_enter_email'],
  ['Please enter your password', 'form_enter_password'],
  ['Please enter your name', 'form_enter_your_name'],
  [
    'Please enter your password with at least 8 characters long and containing at least a lower cased letter, an upper cased letter, a number and a symbol',
    'form_enter_strong_password',
  ],
  ['Please verify that you are not a robot', 'form_verify_not_robot'],
  ['Please enter a name', 'form_enter_name'],
  ['Please select a region', 'form_select_region'],
  ['Please select a team', 'form_select_team'],
  [
    'Please enter a valid domain or leave empty (do not specify scheme like https)',
    'form_enter_domain_without_scheme',
  ],
  ['Please enter a valid domain or leave empty', 'form_enter_domain'],
  ['Please specify subject of your issue', 'form_enter_subject'],
  ['Please describe your issue', 'form_describe_issue'],
  ['Please enter your message', 'form_enter_message'],
  ['Please enter an email for invitation to be sent', 'form_enter_invitation_email'],
  ['Please enter billing name', 'form_enter_billing_name'],
  ['Please enter billing address', 'form_enter_billing_address'],
  ['Please enter the card number', 'form_enter_card_number'],
  ['Please select at least one invoice', 'form_select_invoice'],
  ['Please select a payment method', 'form_select_payment_method'],
  ['Please type your new password again', 'form_repeat_password'],

  // Errors
  ['Invalid credentials', 'error_invalid_credentials'],
  ['User has different login method', 'error_user_not_created_with_email'],
  ['This email address already exists', 'error_email_already_exists'],
  ['Cannot update a deleted project', 'error_cannot_update_deleted_project'],
  ['Project is already deleted', 'error_already_deleted'],
  ['You have reached the project limit', 'error_project_limit_reached'],
  ['A new message cannot be sent when 24 hours pass after ticket closure', 'error_ticket_closed'],
  ['Invitation not found', 'error_invitation_not_found'],
  ['You cannot invite yourself', 'error_self_invite_not_possible'],
  ['Invited user is already joined to team', 'error_already_joined'],
  [
    'You have reached limit of sending email. Please wait a few minutes and retry',
    'error_action_limit_reached',
  ],
]

const cases = texts.flatMap(([text, ...keys]) => keys.map((key) => ({ text, key })))

describe('the texts of the specification', () => {
  it.each(cases)('include "$text" as $key', ({ text, key }) => {
    expect(english(key)).toBe(text)
  })

  it.each([
    'projects_empty',
    'teams_empty',
    'teams_invitations_empty',
    'support_empty',
    'invoices_empty',
    'cards_empty',
  ] as const)('say "No … yet" for an empty list: %s', (key) => {
    expect(english(key)).toMatch(/^No [a-z ]+ yet$/)
  })
})
