import { m } from '@slipway/phrases'
import { type AreaFormMessages, addFormMessages } from './form-message.ts'

const texts: AreaFormMessages = {
  form_enter_name: () => m.form_enter_name(),
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
  form_select_project: () => m.form_select_project(),
  form_enter_code: () => m.form_enter_code(),
  form_variable_name: () => m.form_variable_name(),
  form_variable_reserved: () => m.form_variable_reserved(),
  form_enter_price: () => m.form_enter_price(),
  form_not_in_the_past: () => m.form_not_in_the_past(),
}

addFormMessages(texts)
