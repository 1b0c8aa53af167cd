import {
  createClientSecret,
  createSignInClient,
  deleteClientSecret,
  deleteSignInClient,
  listSignInClients,
  updateSignInClient,
} from '@slipway/contract/sign-in-clients'
import type { Bind } from '../../http/binder.ts'
import * as clients from './sign-in-clients.service.ts'

export const routes = (on: Bind) => {
  on(listSignInClients, (ctx, { params }) => clients.list(ctx, params.id))
  on(createSignInClient, (ctx, { params, body }) => clients.create(ctx, params.id, body))
  on(updateSignInClient, (ctx, { params, body }) =>
    clients.update(ctx, params.id, params.clientId, body),
  )
  on(deleteSignInClient, (ctx, { params }) => clients.remove(ctx, params.id, params.clientId))
  on(createClientSecret, (ctx, { params }) => clients.addSecret(ctx, params.id, params.clientId))
  on(deleteClientSecret, (ctx, { params }) => clients.removeSecret(ctx, params))
}
