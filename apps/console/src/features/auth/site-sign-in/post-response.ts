import { formPostPath } from '@slipway/contract/login-provider'
import { apiBase } from '../../../api/client.ts'

/**
 * Lets the server send the response as a form on a separate page: the policy of the console allows
 * no form to another host (OAuth 2.0 Form Post Response Mode).
 */
export function postResponse(fields: Record<string, string>) {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = apiBase + formPostPath
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
