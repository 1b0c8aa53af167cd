import { m } from '@slipway/phrases'
import { addErrorTexts, type LaterErrorTexts } from '../api/error-message.ts'
import { addFormTexts, type LaterFormTexts } from '../forms/form-message.ts'
import type { pageErrorTexts, pageFormTexts } from './page-texts.ts'
import './page-texts.ts'

/** What the pages behind the login may have to say besides: the rest, so that none is missing. */
const errorTexts: Omit<LaterErrorTexts, keyof typeof pageErrorTexts> = {
  forbidden: () => m.error_forbidden(),
  item_not_found: () => m.error_item_not_found(),
  team_not_found: () => m.error_team_not_found(),
  region_not_found: () => m.error_region_not_found(),
  invitation_not_found: () => m.error_invitation_not_found(),
  ticket_not_found: () => m.error_ticket_not_found(),
  already_deleted: () => m.error_already_deleted(),
  cannot_update_deleted_project: () => m.error_cannot_update_deleted_project(),
  project_limit_reached: () => m.error_project_limit_reached(),
  domain_in_use: () => m.error_domain_in_use(),
  self_invite_not_possible: () => m.error_self_invite_not_possible(),
  already_invited: () => m.error_already_invited(),
  already_joined: () => m.error_already_joined(),
  invitation_limit_reached: () => m.error_invitation_limit_reached(),
  owner_cannot_leave: () => m.error_owner_cannot_leave(),
  ticket_already_resolved: () => m.error_ticket_already_resolved(),
  ticket_closed: () => m.error_ticket_closed(),
}

const formTexts: Omit<LaterFormTexts, keyof typeof pageFormTexts> = {
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
}

addErrorTexts(errorTexts)
addFormTexts(formTexts)
