import './theme.css'
