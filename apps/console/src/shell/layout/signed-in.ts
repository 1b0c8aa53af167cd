// The code that every screen of a signed-in user needs, as one chunk: separate dynamic imports
// would each be a request.
export { prefetch } from '../../api/prefetch.ts'
export { Page as AppPage } from './app.layout.tsx'
export { Page as TeamsPage } from './teams.layout.tsx'
