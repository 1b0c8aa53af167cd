/** What a form says of a field: keys of the phrases, so that both languages have each. */
export type FormMessage =
  | 'form_enter_email'
  | 'form_enter_password'
  | 'form_enter_name'
  | 'form_enter_your_name'
  | 'form_enter_strong_password'
  | 'form_repeat_password'
  | 'form_verify_not_robot'
  | 'form_select_region'
  | 'form_select_team'
  | 'form_enter_domain_without_scheme'
  | 'form_enter_domain'
  | 'form_domain_reserved'
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
  | 'form_too_long'
  | 'form_invalid'

const isFormMessage = (message: string | undefined): message is FormMessage =>
  message?.startsWith('form_') ?? false

/**
 * The message of an issue a schema raised: its own key, or the one for "not valid". Schemas are compiled to
 * name keys alone, so that no list of them need be loaded to tell one from a sentence of zod's.
 */
export const formMessage = (message: string | undefined): FormMessage =>
  isFormMessage(message) ? message : 'form_invalid'
