import { ApiError, UnreadableResponse } from '@slipway/contract/client'
import { type ErrorCode, errors } from '@slipway/contract/errors'
import { describe, expect, it } from 'vitest'
import './area-error-texts.ts'
import { errorMessage } from './error-message.ts'
import { NetworkError } from './network-error.ts'

const codes = Object.keys(errors) as ErrorCode[]

const apiError = (
  error: ErrorCode,
  more: { context?: string; root?: Record<string, string> } = {},
) => new ApiError(errors[error], { code: errors[error], error, ...more })

describe('errorMessage', () => {
  it.each([
    ['invalid_credentials', 'Invalid credentials'],
    ['user_not_created_with_email', 'User has different login method'],
    ['email_already_exists', 'This email address already exists'],
    ['cannot_update_deleted_project', 'Cannot update a deleted project'],
    ['already_deleted', 'Project is already deleted'],
    ['project_limit_reached', 'You have reached the project limit'],
    ['already_verified', 'Your account is already verified'],
    ['ticket_closed', 'A new message cannot be sent when 24 hours pass after ticket closure'],
    ['invitation_not_found', 'Invitation not found'],
    ['self_invite_not_possible', 'You cannot invite yourself'],
    ['already_joined', 'Invited user is already joined to team'],
    [
      'action_limit_reached',
      'You have reached limit of sending email. Please wait a few minutes and retry',
    ],
  ] as const)("uses the specification's text for %s", (code, text) => {
    expect(errorMessage(apiError(code))).toBe(text)
  })

  it.each(codes)('describes %s in words', (code) => {
    const text = errorMessage(apiError(code))
    expect(text.length).toBeGreaterThan(10)
    expect(text).not.toContain(code)
  })

  it.each(codes.filter((code) => code !== 'internal_error'))(
    'shows the text of %s, not the one of an internal error, on a page whose calls do not declare it',
    (code) => {
      expect(errorMessage(apiError(code))).not.toBe(errorMessage(apiError('internal_error')))
    },
  )

  it('names the request id of an internal error', () => {
    expect(errorMessage(apiError('internal_error', { context: 'req-7' }))).toContain('req-7')
  })

  it('joins the field messages of a validation error', () => {
    const error = apiError('validation_error', { root: { name: 'Please enter a name' } })
    expect(errorMessage(error)).toBe('Please enter a name')
  })

  it('says that the server could not be reached', () => {
    expect(errorMessage(new NetworkError('network'))).toContain("Couldn't reach the server")
  })

  it('passes on a sentence from a proxy', () => {
    expect(errorMessage(new UnreadableResponse(502, 'Bad gateway\n'))).toBe('Bad gateway')
  })

  it.each([
    ['markup', 502, '<html><body><h1>502 Bad Gateway</h1></body></html>'],
    ['JSON of something else', 502, '{"message":"no upstream"}'],
    ['a long text', 502, 'x'.repeat(201)],
    ['several lines', 502, 'Error\n  at handler'],
    ['nothing', 502, ''],
    ['a successful response of another server', 200, 'Log in to this network'],
  ])('reports %s as unreadable, with its status', (_, status, text) => {
    expect(errorMessage(new UnreadableResponse(status, text))).toBe(
      `The server sent an invalid response (${status})`,
    )
  })

  it('hides the message of a JavaScript error', () => {
    expect(errorMessage(new TypeError("reading 'id' of undefined"))).toBe(
      'Something went wrong on our side',
    )
  })
})
