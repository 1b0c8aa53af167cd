const teamId = '019a4c2e-8a3f-7c11-9d52-3f6f0b0f4a10'

/** Examples of requests and responses, by operation. */
export const examples: Record<string, { body: unknown; response: unknown }> = {
  createProject: {
    body: {
      name: 'Harbour Café',
      teamId,
      regionId: 'eu',
      domain: 'harbour.example',
      runtime: 'static',
    },
    response: {
      id: '019a4c2f-0b7e-7d3a-8a51-5f1f6f0a2b44',
      teamId,
      key: 'harbour-cafe-k3v9qm',
      name: 'Harbour Café',
      runtime: 'static',
      software: null,
      state: 'pending',
      failure: null,
      power: 'running',
      suspension: null,
      domain: 'harbour.example',
      displayDomain: 'harbour.example',
      domainState: 'pending',
      secure: false,
      hasSite: false,
      isMoving: false,
      controllerDomain: 'eu.sites.example',
      defaultUrl: 'https://harbour-cafe-k3v9qm.sites.example',
      sitePorts: { http: 80, https: 443 },
      picture: null,
      createdAt: '2026-11-02T09:00:00.000Z',
      updatedAt: '2026-11-02T09:00:00.000Z',
    },
  },
}

export const validationExample = {
  code: 422,
  error: 'validation_error',
  root: { name: 'Please enter a name' },
}
