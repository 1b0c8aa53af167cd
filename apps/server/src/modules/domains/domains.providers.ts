export type Provider = {
  id: string
  name: string
  /** Where records are changed, or the provider's help on it. */
  url: string
  nameServers: RegExp
}

export const providers: readonly Provider[] = [
  {
    id: 'cloudflare',
    name: 'Cloudflare',
    // Cloudflare fills in the account and the zone once the owner has chosen them.
    url: 'https://dash.cloudflare.com/?to=/:account/:zone/dns/records',
    nameServers: /\.ns\.cloudflare\.com$/,
  },
  {
    id: 'godaddy',
    name: 'GoDaddy',
    url: 'https://www.godaddy.com/help/manage-dns-records-680',
    nameServers: /\.domaincontrol\.com$/,
  },
  {
    id: 'namecheap',
    name: 'Namecheap',
    url: 'https://www.namecheap.com/support/knowledgebase/article.aspx/434/2237/how-do-i-set-up-host-records-for-a-domain/',
    nameServers: /\.(registrar-servers|namecheaphosting)\.com$/,
  },
  {
    id: 'squarespace',
    // Squarespace took over Google Domains, whose name servers Google Cloud uses, too.
    name: 'Squarespace / Google',
    url: 'https://support.squarespace.com/hc/en-us/articles/360002101888',
    nameServers: /\.(squarespacedns|googledomains)\.com$/,
  },
  {
    id: 'hostinger',
    name: 'Hostinger',
    url: 'https://support.hostinger.com/en/articles/1583249-how-to-manage-dns-records-at-hostinger',
    nameServers: /\.dns-parking\.com$/,
  },
  {
    id: 'route53',
    name: 'Amazon Route 53',
    url: 'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html',
    nameServers: /\.awsdns-\d+\.(com|net|org|co\.uk)$/,
  },
  {
    id: 'ionos',
    name: 'IONOS',
    url: 'https://www.ionos.com/help/domains/configuring-cname-records-for-subdomains/configuring-a-cname-record-for-a-subdomain/',
    nameServers: /\.ui-dns\.(com|de|org|biz)$/,
  },
  {
    id: 'wix',
    name: 'Wix',
    url: 'https://support.wix.com/en/article/adding-or-updating-cname-records-in-your-wix-account',
    nameServers: /\.wixdns\.net$/,
  },
  {
    id: 'ovh',
    name: 'OVHcloud',
    url: 'https://help.ovhcloud.com/csm/en-dns-edit-dns-zone?id=kb_article_view&sysparm_article=KB0051682',
    nameServers: /\.(ovh\.(net|ca)|anycast\.me)$/,
  },
  {
    id: 'digitalocean',
    name: 'DigitalOcean',
    url: 'https://docs.digitalocean.com/products/networking/dns/how-to/manage-records/',
    nameServers: /\.digitalocean\.com$/,
  },
]

/** The provider with these name servers, given in lower case. */
export const providerOf = (nameServers: readonly string[]): Provider | undefined =>
  providers.find((provider) => nameServers.some((each) => provider.nameServers.test(each)))
