import { m } from '@slipway/phrases'
import { type AreaErrorTexts, addErrorTexts } from './error-message.ts'
import { paymentFailureText } from './payment-failure.ts'

const texts: AreaErrorTexts = {
  request_not_supported: () => m.error_request_not_supported(),
  request_uri_not_supported: () => m.error_request_uri_not_supported(),
  login_required: () => m.error_login_required(),
  unsupported_media_type: () => m.error_unsupported_media_type(),
  item_not_found: () => m.error_item_not_found(),
  route_not_found: () => m.error_route_not_found(),
  project_not_found: () => m.error_project_not_found(),
  team_not_found: () => m.error_team_not_found(),
  region_not_found: () => m.error_region_not_found(),
  invitation_not_found: () => m.error_invitation_not_found(),
  ticket_not_found: () => m.error_ticket_not_found(),
  release_not_found: () => m.error_release_not_found(),
  release_already_live: () => m.error_release_already_live(),
  release_in_progress: () => m.error_release_in_progress(),
  region_full: () => m.error_region_full(),
  move_not_possible: () => m.error_move_not_possible(),
  backup_not_possible: () => m.error_backup_not_possible(),
  runtime_not_available: () => m.error_runtime_not_available(),
  runtime_version_invalid: () => m.error_runtime_version_invalid(),
  already_deleted: () => m.error_already_deleted(),
  cannot_update_deleted_project: () => m.error_cannot_update_deleted_project(),
  project_limit_reached: () => m.error_project_limit_reached(),
  project_suspended: () => m.error_project_suspended(),
  project_stopped: () => m.error_project_stopped(),
  domain_in_use: () => m.error_domain_in_use(),
  domain_not_found: () => m.error_domain_not_found(),
  domain_limit_reached: () => m.error_domain_limit_reached(),
  self_invite_not_possible: () => m.error_self_invite_not_possible(),
  already_invited: () => m.error_already_invited(),
  already_joined: () => m.error_already_joined(),
  invitation_limit_reached: () => m.error_invitation_limit_reached(),
  owner_cannot_leave: () => m.error_owner_cannot_leave(),
  ticket_already_resolved: () => m.error_ticket_already_resolved(),
  ticket_closed: () => m.error_ticket_closed(),
  too_many_streams: () => m.error_too_many_streams(),
  message_limit_reached: () => m.error_message_limit_reached(),
  invoice_not_found: () => m.error_invoice_not_found(),
  invoice_already_paid: () => m.error_invoice_already_paid(),
  payment_method_not_found: () => m.error_payment_method_not_found(),
  payment_in_progress: () => m.error_payment_in_progress(),
  payment_failed: ({ context }) => {
    if (context === 'card_declined') return m.payments_screen_declined()
    return context ? paymentFailureText(context) : m.error_payment_failed()
  },
  default_payment_method: () => m.error_default_payment_method(),
  payment_method_limit_reached: () => m.error_payment_method_limit_reached(),
  personal_token_limit_reached: () => m.error_personal_token_limit_reached(),
  variable_limit_reached: () => m.error_variable_limit_reached(),
  sign_in_client_limit_reached: () => m.error_sign_in_client_limit_reached(),
  client_secret_limit_reached: () => m.error_client_secret_limit_reached(),
  registry_limit_reached: () => m.error_registry_limit_reached(),
}

addErrorTexts(texts)
