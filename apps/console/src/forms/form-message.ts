import type { FormMessage } from '@slipway/contract/messages'
import { m } from '@slipway/phrases'

/** What a form says of a field that does not fit. */
export const formMessageTexts: Record<FormMessage, () => string> = {
  form_enter_email: () => m.form_enter_email(),
  form_enter_password: () => m.form_enter_password(),
  form_enter_name: () => m.form_enter_name(),
  form_enter_your_name: () => m.form_enter_your_name(),
  form_enter_strong_password: () => m.form_enter_strong_password(),
  form_repeat_password: () => m.form_repeat_password(),
  form_verify_not_robot: () => m.form_verify_not_robot(),
  form_select_region: () => m.form_select_region(),
  form_select_team: () => m.form_select_team(),
  form_enter_domain_without_scheme: () => m.form_enter_domain_without_scheme(),
  form_enter_domain: () => m.form_enter_domain(),
  form_domain_reserved: () => m.form_domain_reserved(),
  form_too_long: () => m.form_too_long(),
  form_invalid: () => m.form_invalid(),
}
