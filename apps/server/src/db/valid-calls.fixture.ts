import { updateProfileName } from '@slipway/contract/account'
import { forgotPassword, resetPassword, sendVerifyEmail } from '@slipway/contract/auth'
import { checkDomains, createDomain, deleteDomain, updateDomain } from '@slipway/contract/domains'
import { changeEnvironment } from '@slipway/contract/environment'
import { createSocketTicket } from '@slipway/contract/events'
import { replyToTicket, resumeProject, suspendProject } from '@slipway/contract/operator'
import { updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import { deletePaymentMethod, setDefaultPaymentMethod } from '@slipway/contract/payment-methods'
import {
  approveDevice,
  createPersonalToken,
  deleteCurrentPersonalToken,
  deletePersonalToken,
  denyDevice,
  pollDevice,
  requestDevice,
  viewDevice,
} from '@slipway/contract/personal-tokens'
import { changeDiscount, changePrice, issueInvoices } from '@slipway/contract/products'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  renameProject,
  restartProject,
  retryProject,
} from '@slipway/contract/projects'
import { markRefunded } from '@slipway/contract/refunds'
import { createRelease, rollBackRelease } from '@slipway/contract/releases'
import { login, logout } from '@slipway/contract/sessions'
import { markTicketRead, resolveTicket, sendTicketMessage } from '@slipway/contract/support'
import {
  cancelInvitation,
  inviteToTeam,
  leaveTeam,
  removeFromTeam,
  respondToInvitation,
  updateTeam,
} from '@slipway/contract/teams'
import {
  mailedToken,
  openVerificationLink,
  password,
  signUpUser,
} from '../modules/auth/auth.fixture.ts'
import { billingFields, cardOf } from '../modules/payment-methods/payment-methods.fixture.ts'
import { payer, refundOf } from '../modules/payments/payments.fixture.ts'
import { archive, releaseOf } from '../modules/releases/releases.fixture.ts'
import { openTicket } from '../modules/support/support.fixture.ts'
import type { TestUser, World } from '../testing/world.ts'

/**
 * Calls the endpoints that write, each with success: those of an account, a team, a project, a
 * domain, a card, a ticket and a token.
 */
export async function callWriteEndpoints(world: World, operator: TestUser) {
  await callAccountEndpoints(world)
  await callTeamEndpoints(world)
  await callProjectEndpoints(world, operator)
  await callDomainEndpoints(world)
  await callBillingEndpoints(world, operator)
  await callSupportEndpoints(world, operator)
  await callTokenEndpoints(world)
}

async function callAccountEndpoints(world: World) {
  const { email, token, call } = await signUpUser(world)
  await world.guest(sendVerifyEmail, { body: { token } })
  await openVerificationLink(world, email)
  await call(updateProfileName, { body: { name: 'Another name' } })
  await world.guest(forgotPassword, { body: { email } })
  const resetToken = await mailedToken(world, email, '/auth/reset-password')
  await world.guest(resetPassword, { body: { token: resetToken, password } })
  const session = await world.guest(login, { body: { email, password } })
  await world.client(session.token)(createSocketTicket)
  await world.client(session.token)(logout)
}

async function callTeamEndpoints(world: World) {
  const [owner, member, secondMember] = [await world.user(), await world.user(), await world.user()]
  const { teamId } = owner
  await owner.call(updateTeam, { params: { id: teamId }, body: { name: 'Another name' } })
  for (const { email } of [member, secondMember])
    await owner.call(inviteToTeam, { body: { teamId, email } })
  await owner.call(cancelInvitation, { query: { teamId, email: secondMember.email } })
  await owner.call(inviteToTeam, { body: { teamId, email: secondMember.email } })
  for (const { call } of [member, secondMember])
    await call(respondToInvitation, { body: { teamId, accept: true } })
  await member.call(leaveTeam, { params: { id: teamId } })
  await owner.call(removeFromTeam, { params: { teamId }, query: { userId: secondMember.id } })
}

async function callProjectEndpoints(world: World, operator: TestUser) {
  const { call, teamId } = await world.user()
  await call(createProject, {
    body: { name: 'Example site', teamId, regionId: 'eu', domain: null },
  })
  const { id, key } = await world.project({ teamId, runtime: 'static' })
  const params = { id }
  await call(renameProject, { params, body: { name: 'Another name' } })
  await call(changeEnvironment, { params, body: { set: { A: '1' }, remove: [] } })
  await call(changeEnvironment, { params, body: { set: {}, remove: ['A'] } })
  await call(restartProject, { params })
  await call(createRelease, { params, query: {}, body: archive() })
  const release = await releaseOf(world, { teamId, userId: operator.id })
  await call(rollBackRelease, { params: { id: release.id }, body: { number: release.number } })
  await call(changeProjectPower, { params, body: { power: 'stopped' } })
  const failed = await world.project({ teamId, state: 'failed_creating' })
  await call(retryProject, { params: { id: failed.id } })
  await operator.call(suspendProject, { params: { key }, body: { reason: 'abuse' } })
  await operator.call(resumeProject, { params: { key } })
  await call(deleteProject, { params })
}

async function callDomainEndpoints(world: World) {
  const { call, teamId } = await world.user()
  const { id } = await world.project({ teamId })
  const body = {
    domain: 'shop.example.com',
    role: 'alias',
    redirectStatus: 308,
    withCounterpart: true,
  } as const
  const domain = await call(createDomain, { params: { id }, body })
  const params = { id, domainId: domain.id }
  await call(updateDomain, { params, body: { role: 'primary' } })
  await call(updateDomain, { params, body: { hsts: true } })
  await call(checkDomains, { params: { id } })
  await call(deleteDomain, { params })
  await call(changeProjectDomain, { params: { id }, body: { domain: 'new.example.com' } })
}

async function callBillingEndpoints(world: World, operator: TestUser) {
  const customer = await payer(world)
  const otherCard = await cardOf(customer)
  const params = { id: otherCard.id }
  await customer.call(updatePaymentMethod, { params, body: billingFields })
  await customer.call(setDefaultPaymentMethod, { params })
  await customer.pay()
  const refund = await refundOf(world, customer)
  await operator.call(markRefunded, { params: { id: refund.id } })
  await customer.call(deletePaymentMethod, { params: { id: customer.card.id } })
  const productId = 'website'
  await operator.call(changeDiscount, {
    body: { email: customer.email, productId, discount: '0.001' },
  })
  await operator.call(changePrice, { body: { productId, price: '0.02' } })
  await operator.call(issueInvoices, { body: { userId: customer.id } })
}

async function callSupportEndpoints(world: World, operator: TestUser) {
  const { call } = await world.user()
  const { id } = await openTicket({ call })
  const params = { id }
  await call(sendTicketMessage, { params, body: { text: 'More about it' } })
  const reply = await operator.call(replyToTicket, { params, body: { text: 'An answer' } })
  await call(markTicketRead, { params, body: { messageId: reply.id } })
  await call(resolveTicket, { params, body: { state: 'resolved' } })
}

async function callTokenEndpoints(world: World) {
  const { call, teamId } = await world.user()
  const project = await world.project({ teamId })
  const grant = { projectIds: [project.id], days: 90 as const }
  const create = () => call(createPersonalToken, { body: { name: 'Token', ...grant } })
  const [firstItem, secondItem] = [await create(), await create()]
  await call(deletePersonalToken, { params: { id: firstItem.personalToken.id } })
  await world.client(secondItem.token)(deleteCurrentPersonalToken)
  for (const decide of [
    (code: string) => call(approveDevice, { body: { code, ...grant } }),
    (code: string) => call(denyDevice, { body: { code } }),
  ]) {
    const { userCode, deviceCode } = await world.guest(requestDevice, { body: { name: 'laptop' } })
    await call(viewDevice, { body: { code: userCode } })
    await decide(userCode)
    await world.guest(pollDevice, { body: { deviceCode } })
  }
}
