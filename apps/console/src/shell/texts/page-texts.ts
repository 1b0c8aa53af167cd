import { m } from '@slipway/phrases'
import { addErrorTexts, type PageErrorTexts } from '../../api/error-message.ts'
import { addFormTexts, type PageFormTexts } from '../../forms/form-message.ts'

/** What every page but the login page may have to say: whoever comes to that is spared them. */
export const pageErrorTexts = {
  invalid_params: () => m.error_invalid_params(),
  invalid_token: () => m.error_invalid_token(),
  malformed_request: () => m.error_malformed_request(),
  unauthorized: () => m.error_unauthorized(),
  user_not_verified: () => m.error_user_not_verified(),
  project_not_found: () => m.error_project_not_found(),
  route_not_found: () => m.error_route_not_found(),
  email_already_exists: () => m.error_email_already_exists(),
  already_verified: () => m.error_already_verified(),
  request_too_large: () => m.error_request_too_large(),
  unsupported_media_type: () => m.error_unsupported_media_type(),
  action_limit_reached: () => m.error_action_limit_reached(),
} satisfies Partial<PageErrorTexts>

export const pageFormTexts = {
  form_enter_name: () => m.form_enter_name(),
  form_enter_your_name: () => m.form_enter_your_name(),
  form_enter_strong_password: () => m.form_enter_strong_password(),
  form_repeat_password: () => m.form_repeat_password(),
  form_verify_not_robot: () => m.form_verify_not_robot(),
} satisfies Partial<PageFormTexts>

addErrorTexts(pageErrorTexts)
addFormTexts(pageFormTexts)
