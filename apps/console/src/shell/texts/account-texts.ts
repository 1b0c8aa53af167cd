import { m } from '@slipway/phrases'
import { addErrorTexts, type PageErrorTexts } from '../../api/error-message.ts'
import { paymentFailureText } from '../../api/payment-failure.ts'
import { addFormTexts, type PageFormTexts } from '../../forms/form-message.ts'
import type { pageErrorTexts, pageFormTexts } from './page-texts.ts'
import './page-texts.ts'

/** What the pages behind the login may have to say besides: the rest, so that none is missing. */
const errorTexts: Omit<PageErrorTexts, keyof typeof pageErrorTexts> = {
  forbidden: () => m.error_forbidden(),
  item_not_found: () => m.error_item_not_found(),
  team_not_found: () => m.error_team_not_found(),
  region_not_found: () => m.error_region_not_found(),
  invitation_not_found: () => m.error_invitation_not_found(),
  ticket_not_found: () => m.error_ticket_not_found(),
  already_deleted: () => m.error_already_deleted(),
  cannot_update_deleted_project: () => m.error_cannot_update_deleted_project(),
  project_limit_reached: () => m.error_project_limit_reached(),
  domain_in_use: () => m.error_domain_in_use(),
  self_invite_not_possible: () => m.error_self_invite_not_possible(),
  already_invited: () => m.error_already_invited(),
  already_joined: () => m.error_already_joined(),
  invitation_limit_reached: () => m.error_invitation_limit_reached(),
  owner_cannot_leave: () => m.error_owner_cannot_leave(),
  ticket_already_resolved: () => m.error_ticket_already_resolved(),
  ticket_closed: () => m.error_ticket_closed(),
  message_limit_reached: () => m.error_message_limit_reached(),
  invoice_not_found: () => m.error_invoice_not_found(),
  invoice_already_paid: () => m.error_invoice_already_paid(),
  payment_method_not_found: () => m.error_payment_method_not_found(),
  payment_in_progress: () => m.error_payment_in_progress(),
  payment_failed: ({ context }) =>
    context ? paymentFailureText(context) : m.error_payment_failed(),
  default_payment_method: () => m.error_default_payment_method(),
  payment_method_limit_reached: () => m.error_payment_method_limit_reached(),
}

const formTexts: Omit<PageFormTexts, keyof typeof pageFormTexts> = {
  form_select_region: () => m.form_select_region(),
  form_select_team: () => m.form_select_team(),
  form_enter_domain_without_scheme: () => m.form_enter_domain_without_scheme(),
  form_enter_domain: () => m.form_enter_domain(),
  form_domain_reserved: () => m.form_domain_reserved(),
  form_enter_invitation_email: () => m.form_enter_invitation_email(),
  form_invitation_email_characters: () => m.form_invitation_email_characters(),
  form_enter_subject: () => m.form_enter_subject(),
  form_describe_issue: () => m.form_describe_issue(),
  form_enter_message: () => m.form_enter_message(),
  form_enter_billing_name: () => m.form_enter_billing_name(),
  form_enter_billing_address: () => m.form_enter_billing_address(),
  form_enter_district: () => m.form_enter_district(),
  form_enter_city: () => m.form_enter_city(),
  form_select_country: () => m.form_select_country(),
  form_enter_card_holder: () => m.form_enter_card_holder(),
  form_enter_card_number: () => m.form_enter_card_number(),
  form_enter_expiry_month: () => m.form_enter_expiry_month(),
  form_enter_expiry_year: () => m.form_enter_expiry_year(),
  form_card_expired: () => m.form_card_expired(),
  form_no_card_number: () => m.form_no_card_number(),
  form_select_invoice: () => m.form_select_invoice(),
  form_too_many_invoices: () => m.form_too_many_invoices(),
  form_invoice_twice: () => m.form_invoice_twice(),
  form_select_payment_method: () => m.form_select_payment_method(),
  form_enter_price: () => m.form_enter_price(),
  form_not_in_the_past: () => m.form_not_in_the_past(),
}

addErrorTexts(errorTexts)
addFormTexts(formTexts)
