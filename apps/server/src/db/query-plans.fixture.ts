import pg from 'pg'

export type Statement = { text: string; values: unknown[] }

/** Records the first use of each statement that this process sends, until `stop`. */
export function recordStatements() {
  const statements = new Map<string, Statement>()
  const { query } = pg.Client.prototype
  // Every statement of every pool and client passes through this method.
  pg.Client.prototype.query = function record(this: pg.Client, ...input: unknown[]) {
    const [config, values] = input as [string | { text?: string; values?: unknown[] }, unknown]
    const text = typeof config === 'string' ? config : config?.text
    const parameters = typeof config === 'string' ? values : (config?.values ?? values)
    if (text !== undefined && /^\s*(select|insert|update|delete|with)\b/i.test(text))
      if (!statements.has(text))
        statements.set(text, { text, values: Array.isArray(parameters) ? parameters : [] })
    return (query as (...input: unknown[]) => unknown).apply(this, input)
  } as typeof query
  return {
    statements,
    stop() {
      pg.Client.prototype.query = query
    },
  }
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: Plan[]
}

/** The indexes that have only some of their table's rows. */
export async function partialIndexes(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  )
  return new Set(rows.map(({ name }) => name))
}

/** The tables that a statement may read from end to end, by its plan. */
export async function scannedTables(
  client: pg.Client,
  { text, values }: Statement,
  partial: ReadonlySet<string>,
) {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) ${text}`,
    values,
  )
  const tables: string[] = []
  /** A search in the order of an index, which ends early only if enough rows match. */
  const filtersAll = (plan: Plan) =>
    /^Index (Only )?Scan$/.test(plan['Node Type']) &&
    plan['Index Cond'] === undefined &&
    plan.Filter !== undefined &&
    !partial.has(plan['Index Name'] ?? '')
  const visit = (plan: Plan) => {
    if (plan['Node Type'] === 'Seq Scan' || filtersAll(plan))
      tables.push(plan['Relation Name'] ?? '')
    for (const child of plan.Plans ?? []) visit(child)
  }
  for (const row of rows) visit(row['QUERY PLAN'][0].Plan)
  return tables
}

/** Rows of each table; together over 600,000. */
const size = 20_000

/** The statements that fill the tables whose rows grow in number with the users. */
export const fillTables = (now: Date, productId: string) => {
  const current = `'${now.toISOString()}'::timestamptz`
  const ago = `${current} - n * interval '1 minute'`
  // The n-th row of every table has the same number in its id.
  const id = (table: number) =>
    `('00000000-0000-7000-800' || ${table} || '-' || lpad(to_hex(n), 12, '0'))::uuid`
  const from = `from generate_series(1, ${size}) n`
  return [
    `insert into users (id, name, username, email, login_kind, verified_at, created_at, updated_at)
     select ${id(1)}, 'Person ' || n, 'person' || n, 'person' || n || '@example.org', 'Email', ${current}, ${ago}, ${ago} ${from}`,
    `insert into teams (id, name, user_id, created_at, updated_at)
     select ${id(2)}, 'Team ' || n, ${id(1)}, ${ago}, ${ago} ${from}`,
    `insert into team_members (team_id, user_id, created_at) select ${id(2)}, ${id(1)}, ${ago} ${from}`,
    `insert into team_invitations (team_id, email, created_at)
     select ${id(2)}, 'invited' || n || '@example.org', ${ago} ${from}`,
    `insert into projects (id, team_id, key, region_id, name, state, generation, applied_generation, created_at, updated_at, deleted_at)
     select ${id(3)}, ${id(2)}, 'project-' || n, 'eu', 'Project ' || n,
       case when n % 3 = 0 then 'deleted' else 'ready' end, 1, case when n % 3 = 0 then 0 else 1 end, ${ago}, ${ago},
       case when n % 3 = 0 then ${ago} end ${from}`,
    `insert into sessions (id, user_id, token_hash, last_used_at, created_at)
     select ${id(4)}, ${id(1)}, sha256(convert_to('token' || n, 'utf8')), ${current}, ${current} ${from}`,
    `insert into support_tickets (id, user_id, subject, state, resolved_at, asked_at, replied_at, created_at, updated_at)
     select ${id(5)}, ${id(1)}, 'Question ' || md5(n::text), case when n % 2 = 0 then 'open' else 'resolved' end,
       case when n % 2 = 1 then ${ago} end, ${ago}, case when n % 100 > 0 then ${current} end, ${ago}, ${ago} ${from}`,
    `insert into support_messages (id, ticket_id, user_id, text, created_at, updated_at)
     select ${id(6)}, ${id(5)}, ${id(1)}, 'A message', ${ago}, ${ago} ${from}`,
    `insert into mails (id, key, recipient, subject, state, created_at, updated_at)
     select ${id(7)}, 'key' || n, 'person' || n || '@example.org', 'An email', 'sent', ${ago}, ${ago} ${from}`,
    `insert into invoices (id, user_id, starts_at, ends_at, amount, issued_at, paid_at, payment_state)
     select ${id(8)}, ${id(1)}, ${ago} - interval '30 days', ${ago}, 1, ${ago}, ${ago}, 'succeeded' ${from}`,
    `insert into invoice_items (id, invoice_id, project_id, project_key, project_name, product_id, product_names, price, running_hours, amount, discount_amount, total_amount, starts_at, created_at)
     select ${id(9)}, ${id(8)}, ${id(3)}, 'project-' || n, 'Project ' || n, '${productId}', '{}', 1, 1, 1, 0, 1, ${ago}, ${ago} ${from}`,
    `insert into usage_intervals (id, user_id, project_id, product_id, started_at, ended_at, created_at)
     select ${id(1)}, ${id(1)}, ${id(3)}, '${productId}', ${ago}, ${current}, ${ago} ${from}`,
    `insert into billing_accounts (user_id, billed_until, created_at) select ${id(1)}, ${current}, ${current} ${from}`,
    `insert into attempts (subject, at) select 'subject' || n, ${current} ${from}`,
    `insert into payment_methods (id, user_id, gateway, card_assoc, last_digits, holder_name, expires_at, billing_name, address, district, city, country, is_default, created_at, updated_at)
     select ${id(1)}, ${id(1)}, 'sandbox', 'visa', '4242', 'Person', ${current}, 'Person', 'Address', 'District', 'City', 'tr', true, ${ago}, ${ago} ${from}`,
    `insert into payments (id, user_id, payment_method_id, gateway, paid_with, billed_to, amount, charged_amount, state, locale, created_at, updated_at, settled_at)
     select ${id(1)}, ${id(1)}, ${id(1)}, 'sandbox', '{}', '{}', 1, 1, 'succeeded', 'en', ${ago}, ${ago}, ${ago} ${from}`,
    `insert into payment_invoices (payment_id, invoice_id, live, created_at)
     select ${id(1)}, ${id(8)}, true, ${ago} ${from}`,
    `insert into releases (id, project_id, number, runtime, artifact, state, source, user_id, archive_bytes, deadline_at, created_at)
     select ${id(1)}, ${id(3)}, 1, 'static', md5(n::text), 'live', 'upload', ${id(1)}, 1, ${ago}, ${ago} ${from}`,
    `insert into traffic_hours (project_id, hour, status1xx, status2xx, status3xx, status4xx, status5xx, bytes, times, visitors)
     select ${id(3)}, ${ago}, 0, 1, 0, 0, 0, 1, '{}', '{}' ${from}`,
    `insert into traffic_days (project_id, day, visitors) select ${id(3)}, (${ago})::date, 1 ${from}`,
    `insert into known_devices (user_id, device_hash, created_at, expires_at)
     select ${id(1)}, sha256(convert_to('device' || n, 'utf8')), ${ago}, ${current} + n * interval '1 minute' ${from}`,
    `insert into personal_tokens (id, user_id, name, token_hash, all_projects, created_at, expires_at)
     select ${id(1)}, ${id(1)}, 'Token', sha256(convert_to('personal' || n, 'utf8')), false, ${ago}, ${current} + n * interval '1 minute' ${from}`,
    `insert into personal_token_projects (token_id, project_id, team_id, user_id)
     select ${id(1)}, ${id(3)}, ${id(2)}, ${id(1)} ${from}`,
    `insert into mail_tokens (token_hash, kind, user_id, expires_at, created_at)
     select sha256(convert_to('mail' || n, 'utf8')), 'verify', ${id(1)}, ${current}, ${ago} ${from}`,
    `insert into authorization_codes (code_hash, project_id, user_id, redirect_uri, scope, created_at, expires_at)
     select sha256(convert_to('code' || n, 'utf8')), ${id(3)}, ${id(1)}, 'https://example.org', 'openid', ${ago}, ${current} + n * interval '1 minute' ${from}`,
    `insert into access_tokens (token_hash, code_hash, project_id, user_id, scope, created_at, expires_at)
     select sha256(convert_to('access' || n, 'utf8')), sha256(convert_to('code' || n, 'utf8')), ${id(3)}, ${id(1)}, 'openid', ${ago}, ${current} + n * interval '1 minute' ${from}`,
    `insert into domain_checks (project_id, domain, next_check_at)
     select ${id(3)}, 'www' || n || '.example.org', ${current} + n * interval '1 minute' ${from}`,
    `insert into domains (id, project_id, host, role, state, token, next_check_at, created_at)
     select ${id(1)}, ${id(3)}, 'www' || n || '.example.org', 'primary', 'active', 'token', ${current} + n * interval '1 minute', ${ago} ${from}`,
    `insert into released_domains (host, team_id, region_id, released_at, next_check_at)
     select 'old' || n || '.example.org', ${id(2)}, 'eu', ${ago}, ${current} + n * interval '1 minute' ${from}`,
    // The entries that members of a team read: each team has entries of its project.
    `insert into activity (kind, team_id, project_id, actor, actor_id, created_at)
     select 'project_renamed', ${id(2)}, ${id(3)}, 'user', ${id(1)}, ${ago} ${from}`,
    `insert into activity (kind, account_id, actor, subject, created_at)
     select 'card_added', ${id(1)}, 'service', '4242', ${ago} ${from}`,
    `insert into project_creations (project_id, attempt, steps) select ${id(3)}, 1, '[]' ${from}`,
    `insert into invoice_runs (id, listed_at, created_at) select ${id(1)}, ${current}, ${ago} ${from}`,
    // Each run has many customers.
    `insert into invoice_run_customers (run_id, user_id, state)
     select run.id, ${id(1)}, 'done' ${from} join (select id, row_number() over () as number from invoice_runs limit 50) run on run.number = n % 50 + 1`,
    `insert into certificates (id, host, project_id, challenge, sealed, fingerprint, directory, issuer, renewal_id, starts_at, expires_at, renew_at, due_at, created_at)
     select ${id(1)}, 'www' || n || '.example.org', ${id(3)}, 'http-01', 'sealed', repeat('f', 64), 'https://ca.example/directory', 'Example CA', repeat('r', 55), ${ago}, ${current} + n * interval '1 minute', ${current} + n * interval '1 minute', ${current} + n * interval '1 minute', ${ago} ${from}`,
    `insert into certificate_orders (id, certificate_id, host, directory, ended_at, outcome, created_at)
     select ${id(1)}, ${id(1)}, 'www' || n || '.example.org', 'https://ca.example/directory', ${current}, 'issued', ${current} - n * interval '1 second' ${from}`,
    // As autovacuum does on a real server: an index-only count needs the visibility map.
    'vacuum analyze',
  ]
}
