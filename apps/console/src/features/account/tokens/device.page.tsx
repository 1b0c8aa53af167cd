import { ApiError } from '@slipway/contract/client'
import {
  approveDevice,
  type Device,
  defaultPersonalTokenLifetime,
  denyDevice,
  formatUserCode,
  normalizeUserCode,
  viewDevice,
} from '@slipway/contract/personal-tokens'
import type { ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { projectsQuery } from '../../../api/queries.ts'
import { useAction } from '../../../forms/use-action.ts'
import { useForm } from '../../../forms/use-form.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { useSearchParam } from '../../../shell/navigation/route-params.ts'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Detail, DetailList } from '../../../ui/detail-list.tsx'
import { Form, FormActions } from '../../../ui/field/form.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { LifetimeField, ProjectChoice, useInitialChoice } from './grant-fields.tsx'
import { WithLoginCommand } from './login-command.tsx'

/** The code that the program shows. A link fills it in, but never confirms it. */
function CodeForm({ onFound }: { onFound: (code: string, device: Device) => void }) {
  const queryClient = useQueryClient()
  const linkedCode = normalizeUserCode(useSearchParam('code') ?? '')
  const form = useForm({
    schema: viewDevice.body,
    initial: { code: linkedCode === '' ? '' : formatUserCode(linkedCode) },
    async submit(body) {
      try {
        const device = await call(viewDevice, { body })
        await queryClient.ensureQueryData(projectsQuery)
        onFound(body.code, device)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'item_not_found')) throw error
        throw new ApiError(422, {
          code: 422,
          error: 'validation_error',
          root: { code: m.device_code_wrong() },
        })
      }
    },
  })
  return (
    <Form {...form.props}>
      <TextField
        {...form.field('code')}
        label={m.device_code()}
        description={<WithLoginCommand text={m.device_code_hint} />}
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      {form.failure && <Alert kind="failure">{form.failure}</Alert>}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>
          {m.device_continue()}
        </Button>
      </FormActions>
    </Form>
  )
}

/** The machine that requests the login, and its access. The user confirms or denies it. */
function Confirmation({
  code,
  device,
  onDone,
}: {
  code: string
  device: Device
  onDone: (isApproved: boolean) => void
}) {
  const projectIds = useInitialChoice()
  const form = useForm({
    schema: approveDevice.body,
    initial: { code, projectIds, days: defaultPersonalTokenLifetime },
    async submit(body) {
      await call(approveDevice, { body })
      onDone(true)
    },
  })
  const denial = useAction(async () => {
    await call(denyDevice, { body: { code } })
    onDone(false)
  })
  return (
    <>
      <Alert kind="info">
        <WithLoginCommand text={m.device_warning} />
      </Alert>
      <Card title={m.device_asks()}>
        <DetailList>
          <Detail label={m.device_name()}>{device.name}</Detail>
          <Detail label={m.device_address()}>{device.address}</Detail>
          <Detail label={m.device_time()}>
            <RelativeTime value={device.createdAt} />
          </Detail>
          <Detail label={m.device_code()}>
            <span className="font-mono">{formatUserCode(code)}</span>
          </Detail>
        </DetailList>
      </Card>
      <Form {...form.props}>
        <ProjectChoice
          value={form.values.projectIds as ProjectId[] | null}
          error={form.error('projectIds')}
          onChange={(ids) => form.set('projectIds', ids)}
        />
        <LifetimeField
          value={form.values.days ?? defaultPersonalTokenLifetime}
          onChange={(days) => form.set('days', days)}
        />
        {(form.failure ?? denial.failure) && (
          <Alert kind="failure">{form.failure ?? denial.failure}</Alert>
        )}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {m.device_approve()}
          </Button>
          <Button pending={denial.pending} onClick={denial.run}>
            {m.device_deny()}
          </Button>
        </FormActions>
      </Form>
    </>
  )
}

/** Confirms the login of a program, such as `slipway login`. */
export function Page() {
  const [foundLogin, setFoundLogin] = useState<{ code: string; device: Device } | null>(null)
  const [outcome, setOutcome] = useState<'approved' | 'denied' | null>(null)
  return (
    <PageFrame narrow>
      {outcome ? (
        <>
          <Alert kind={outcome === 'approved' ? 'success' : 'info'}>
            {outcome === 'approved' ? m.device_approved() : m.device_denied()}
          </Alert>
          <div>
            <ButtonLink to={paths.tokens()}>{m.tokens_title()}</ButtonLink>
          </div>
        </>
      ) : foundLogin ? (
        <Confirmation
          {...foundLogin}
          onDone={(isApproved) => setOutcome(isApproved ? 'approved' : 'denied')}
        />
      ) : (
        <Card>
          <CodeForm onFound={(code, device) => setFoundLogin({ code, device })} />
        </Card>
      )}
    </PageFrame>
  )
}
