// What every screen of whoever is signed in begins with. Each module that is imported when it is needed is a
// file of its own to the browser, however little it holds: together they are one.
export { prefetch } from '../../api/prefetch.ts'
export { Page as AppPage } from './app.layout.tsx'
export { Page as TeamsPage } from './teams.layout.tsx'
