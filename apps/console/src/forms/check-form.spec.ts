import { resetPasswordForm, signUp } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import { limits } from '@slipway/contract/limits'
import { changeProjectDomain } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { describe, expect, it } from 'vitest'
import { checkForm, fieldErrorsOf } from './check-form.ts'

describe('checkForm', () => {
  it('gives what the schema made of the values', () => {
    const checked = checkForm(login.body, { email: '  A@Example.com ', password: ' secret ' })
    expect(checked).toEqual({ data: { email: 'a@example.com', password: 'secret' }, errors: null })
  })

  it('names each field that does not fit, with the message of its first fault', () => {
    const { errors } = checkForm(signUp.body, {
      name: 'ab',
      email: '',
      password: 'short',
      __captcha_solution__: null,
    })
    expect(errors).toEqual({
      name: { message: 'form_enter_your_name' },
      email: { message: 'form_enter_email' },
      password: { message: 'form_enter_strong_password' },
      __captcha_solution__: { message: 'form_verify_not_robot' },
    })
  })

  it('says how much a field takes that has more', () => {
    const { errors } = checkForm(login.body, { email: 'a'.repeat(300), password: 'secret' })
    expect(errors).toEqual({ email: { message: 'form_too_long', max: limits.emailMax } })
  })

  it('puts a rule about two fields on the one that it names', () => {
    const { errors } = checkForm(resetPasswordForm, { password: 'Abcdef1!', confirmation: 'x' })
    expect(errors).toEqual({ confirmation: { message: 'form_repeat_password' } })
  })

  it('reads an empty domain as none', () => {
    expect(checkForm(changeProjectDomain.body, { domain: ' ' }).data).toEqual({ domain: null })
  })
})

describe('fieldErrorsOf', () => {
  const invalid = (root: Record<string, string>) =>
    new ApiError(422, { code: 422, error: 'validation_error', root })
  const taken = new ApiError(409, { code: 409, error: 'email_already_exists' })

  it("gives the server's messages to the fields they are for", () => {
    const errors = fieldErrorsOf(invalid({ name: 'Too plain' }), ['name', 'email'])
    expect(errors).toEqual({ name: { text: 'Too plain' } })
  })

  it('gives an error code to the field that it belongs to', () => {
    expect(fieldErrorsOf(taken, ['email'], { email_already_exists: 'email' })).toEqual({
      email: { code: 'email_already_exists' },
    })
  })

  it.each([
    ['a code that belongs to no field', taken],
    ['a field that the form does not have', invalid({ token: 'Missing' })],
    ['an error that is not the server’s', new Error('no answer')],
  ])('leaves %s to the whole form', (_, error) => {
    expect(fieldErrorsOf(error, ['name'])).toBeNull()
  })
})
