import { resetPasswordForm, signUp } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import { limits } from '@slipway/contract/limits'
import { changeProjectDomain } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { describe, expect, it } from 'vitest'
import { checkForm, fieldErrorsOf } from './check-form.ts'

describe('checkForm', () => {
  it('returns the values that the schema parsed', () => {
    const checked = checkForm(login.body, { email: '  A@Example.com ', password: ' secret ' })
    expect(checked).toEqual({
      data: { email: 'a@example.com', password: ' secret ' },
      errors: null,
    })
  })

  it('names each invalid field with its first message', () => {
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

  it('returns the limit of a value that is too long', () => {
    const { errors } = checkForm(login.body, { email: 'a'.repeat(300), password: 'secret' })
    expect(errors).toEqual({ email: { message: 'form_too_long', max: limits.emailMax } })
  })

  it('reports a rule about two fields on the field of its path', () => {
    const { errors } = checkForm(resetPasswordForm, { password: 'Abcdef1!', confirmation: 'x' })
    expect(errors).toEqual({ confirmation: { message: 'form_repeat_password' } })
  })

  it('parses an empty domain as null', () => {
    expect(checkForm(changeProjectDomain.body, { domain: ' ' }).data).toEqual({ domain: null })
  })
})

describe('fieldErrorsOf', () => {
  const invalid = (root: Record<string, string>) =>
    new ApiError(422, { code: 422, error: 'validation_error', root })
  const taken = new ApiError(409, { code: 409, error: 'email_already_exists' })

  it("assigns the server's messages to their fields", () => {
    const errors = fieldErrorsOf(invalid({ name: 'Too plain' }), ['name', 'email'])
    expect(errors).toEqual({ name: { text: 'Too plain' } })
  })

  it('assigns an error code to its field', () => {
    expect(fieldErrorsOf(taken, ['email'], { email_already_exists: 'email' })).toEqual({
      email: { code: 'email_already_exists' },
    })
  })

  it.each([
    ['an error code without a field', taken],
    ['a field that the form does not have', invalid({ token: 'Missing' })],
    ['an error that is not an ApiError', new Error('no response')],
  ])('returns null for %s', (_, error) => {
    expect(fieldErrorsOf(error, ['name'])).toBeNull()
  })
})
