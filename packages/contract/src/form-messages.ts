/** The errors of form fields, as keys of the phrases. */
export type FormMessage =
  | 'form_enter_email'
  | 'form_enter_password'
  | 'form_enter_name'
  | 'form_enter_your_name'
  | 'form_enter_strong_password'
  | 'form_common_password'
  | 'form_repeat_password'
  | 'form_verify_not_robot'
  | 'form_select_region'
  | 'form_select_team'
  | 'form_enter_domain_without_scheme'
  | 'form_enter_domain'
  | 'form_enter_own_domain'
  | 'form_domain_reserved'
  | 'form_domain_public'
  | 'form_domain_look_alike'
  | 'form_enter_invitation_email'
  | 'form_invitation_email_characters'
  | 'form_enter_subject'
  | 'form_describe_issue'
  | 'form_enter_message'
  | 'form_enter_billing_name'
  | 'form_enter_billing_address'
  | 'form_enter_district'
  | 'form_enter_city'
  | 'form_select_country'
  | 'form_enter_card_holder'
  | 'form_enter_card_number'
  | 'form_enter_expiry_month'
  | 'form_enter_expiry_year'
  | 'form_card_expired'
  | 'form_no_card_number'
  | 'form_select_invoice'
  | 'form_too_many_invoices'
  | 'form_invoice_twice'
  | 'form_select_payment_method'
  | 'form_enter_price'
  | 'form_not_in_the_past'
  | 'form_select_project'
  | 'form_enter_code'
  | 'form_variable_name'
  | 'form_variable_reserved'
  | 'form_enter_redirect_address'
  | 'form_redirect_address'
  | 'form_too_many_addresses'
  | 'form_too_long'
  | 'form_invalid'

const isFormMessage = (message: string | undefined): message is FormMessage =>
  message?.startsWith('form_') ?? false

/**
 * The message of a schema's issue: its key, or `form_invalid` for a sentence of zod's. Keys are
 * recognized by their prefix, because a list of them would be in the bundle of the login page.
 */
export const formMessage = (message: string | undefined): FormMessage =>
  isFormMessage(message) ? message : 'form_invalid'
