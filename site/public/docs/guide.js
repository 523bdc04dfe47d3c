import '../code.js';
import './contents.js';
import './search.js';
